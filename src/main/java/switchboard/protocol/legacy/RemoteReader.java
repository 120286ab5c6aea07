package switchboard.protocol.legacy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.ReplySink;

/**
 * A reader on another node, who asks for one page of messages after the other. They are read from the {@link ReplayBuffer} when
 * they are asked for, so nothing is kept for the reader besides. Used on the event loop of the request, except where it says otherwise.
 */
final class RemoteReader implements ReplySink {
    /** A page has as many bytes, and one message at least, or a part of it. */
    private static final int PAGE_BYTES = 64 << 10;

    private static final int PAGE_MESSAGES = 100;

    /** Messages that follow soon go together. */
    private static final Duration GATHER = Duration.ofMillis(50);

    private static final int CONTINUATION = 0b1100_0000;
    private static final int CONTINUED = 0b1000_0000;

    private final String id;
    private final ResumableReply reply;
    private final ReplayBuffer buffer;
    private final Consumer<ResumeMessage.StreamPage> send;
    private final Runnable over;
    private final List<Runnable> onGone = new ArrayList<>(1);
    private volatile long heard = System.nanoTime();
    private ReplayBuffer.EventId passed;
    private ResumeMessage.@Nullable Pull wanted;
    private boolean gathering;
    private boolean complete;
    private boolean closed;

    /**
     * A reader of {@code reply}, who has asked for nothing yet.
     *
     * @param passed the last message that it has
     * @param send sends a page to its node
     * @param over called once when it reads no more; may be called several times
     */
    RemoteReader(
            String id,
            ResumableReply reply,
            ReplayBuffer buffer,
            ReplayBuffer.EventId passed,
            Consumer<ResumeMessage.StreamPage> send,
            Runnable over) {
        this.id = id;
        this.reply = reply;
        this.buffer = buffer;
        this.passed = passed;
        this.send = send;
        this.over = over;
    }

    /** It asks for more; on any thread. */
    void pulled(ResumeMessage.Pull pull) {
        heard = System.nanoTime();
        reply.execute(() -> {
            if (pull.over()) {
                gone();
            } else if (!closed) {
                wanted = pull;
                passed = pull.after();
                pass();
            }
        });
    }

    /** Whether it has not asked for so long; on any thread. */
    boolean silentFor(Duration time) {
        return System.nanoTime() - heard > time.toNanos();
    }

    /** It will not ask any more. On any thread. */
    void leave() {
        reply.execute(this::gone);
    }

    private void gone() {
        if (!closed) {
            closed = true;
            over.run();
            List<Runnable> waiting = List.copyOf(onGone);
            onGone.clear();
            waiting.forEach(Runnable::run);
        }
    }

    private void pass() {
        ResumeMessage.Pull pull = wanted;
        if (pull == null || closed) {
            return;
        }
        List<ResumeMessage.MessagePart> parts = page(buffer.after(pull.after()), pull);
        if (!parts.isEmpty()) {
            wanted = null;
            send.accept(new ResumeMessage.StreamPage(id, parts, ResumeMessage.Outlook.MORE));
            ResumeMessage.MessagePart newest = parts.getLast();
            if (newest.last() && newest.whole()) {
                finish();
            }
        } else if (complete) {
            wanted = null;
            send.accept(new ResumeMessage.StreamPage(id, List.of(), ResumeMessage.Outlook.UNKNOWN));
            finish();
        }
    }

    private void finish() {
        closed = true;
        over.run();
    }

    private static List<ResumeMessage.MessagePart> page(List<ReplayBuffer.Event> events, ResumeMessage.Pull pull) {
        List<ResumeMessage.MessagePart> parts = new ArrayList<>();
        int room = PAGE_BYTES;
        for (ReplayBuffer.Event event : events) {
            long number = event.position().number();
            int from = number == pull.partial() ? Math.clamp(pull.bytes(), 0, event.json().length) : 0;
            int length = event.json().length - from;
            if (parts.size() == PAGE_MESSAGES || (length > room && !parts.isEmpty())) {
                break;
            }
            int end = length <= room ? event.json().length : boundary(event.json(), from + room);
            String text = new String(event.json(), from, end - from, StandardCharsets.UTF_8);
            boolean whole = end == event.json().length;
            parts.add(new ResumeMessage.MessagePart(number, from, text, whole, event.last()));
            room -= length;
            if (!whole) {
                break;
            }
        }
        return parts;
    }

    /** The end of the last whole character before {@code end}. */
    private static int boundary(byte[] utf8, int end) {
        int boundary = end;
        while ((utf8[boundary] & CONTINUATION) == CONTINUED) {
            boundary--;
        }
        return boundary;
    }

    private void soon() {
        if (!gathering && wanted != null) {
            gathering = true;
            var _ = reply.after(GATHER, () -> {
                gathering = false;
                pass();
            });
        }
    }

    @Override
    public void open(Map<String, String> headers) {
        // The reader's node opens the stream.
    }

    @Override
    public void event(byte[] json, Urgency urgency) {
        soon();
    }

    @Override
    public void end(int status, Map<String, String> headers, EncodedJson json) {
        close();
    }

    @Override
    public void end(String eventId, byte[] json) {
        complete = true;
        pass();
    }

    /** The stream is closed. If that is because it has all messages, the reader may have the rest. */
    @Override
    public void close() {
        complete = complete || buffer.after(passed).stream().anyMatch(ReplayBuffer.Event::last);
        if (complete) {
            pass();
        } else {
            replaced();
        }
    }

    @Override
    public void replaced() {
        if (!closed) {
            send.accept(new ResumeMessage.StreamPage(id, List.of(), ResumeMessage.Outlook.CLOSED));
            finish();
        }
    }

    @Override
    public boolean closed() {
        return closed;
    }

    @Override
    public void onGone(Runnable action) {
        if (closed) {
            action.run();
        } else {
            onGone.add(action);
        }
    }

    @Override
    public void execute(Runnable action) {
        reply.execute(action);
    }

    @Override
    public Runnable after(Duration delay, Runnable action) {
        return reply.after(delay, action);
    }
}
