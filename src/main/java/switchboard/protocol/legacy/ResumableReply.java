package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcError;

/**
 * The answer to one request of a session of 2025-11-25. If it takes long, it is sent on a stream whose messages have
 * ids. A client that lost the connection resumes with the last id it received and gets the rest (Streamable HTTP,
 * "Resumability and Redelivery"). Used on the event loop of the request, whoever reads.
 */
final class ResumableReply implements ReplySink {
    private static final Runnable NOTHING = () -> {};

    private final ReplySink post;
    private final JsonNode request;
    private final ReplayBuffer replayBuffer;
    private final ResumeLimits limits;
    private final EventIds ids;
    private Runnable callOff;
    private String suffix = "";
    private ReplayBuffer.EventId position = new ReplayBuffer.EventId(0, 0);
    private final List<Runnable> onGone = new ArrayList<>(1);
    private ReplySink reader;
    private boolean streaming;
    private boolean over;

    /** The answer to {@code request}, an id, on {@code post}. */
    ResumableReply(ReplySink post, JsonNode request, ReplayBuffer replayBuffer, ResumeLimits limits, EventIds ids) {
        this.post = post;
        this.reader = post;
        this.request = request;
        this.replayBuffer = replayBuffer;
        this.limits = limits;
        this.ids = ids;
        this.callOff = post.after(limits.after(), () -> open(Map.of()));
    }

    @Override
    public void open(Map<String, String> headers) {
        if (streaming || closed()) {
            return;
        }
        streaming = true;
        callOff.run();
        position = replayBuffer.open(this);
        suffix = ids.suffix(position.stream(), request);
        post.open(headers);
        read(post, position, List.of());
    }

    @Override
    public void event(byte[] json, Urgency urgency) {
        open(Map.of());
        if (!closed()) {
            ReplayBuffer.Event line = said(json, false);
            tell(to -> to.event(id(line), json, urgency));
        }
    }

    @Override
    public void end(int status, Map<String, String> headers, EncodedJson json) {
        if (closed()) {
            return;
        }
        callOff.run();
        over = true;
        if (!streaming) {
            post.end(status, headers, json);
        } else if (json.length() == 0) {
            replayBuffer.forget(position.stream());
            tell(ReplySink::close);
        } else {
            ReplayBuffer.Event line = said(json.bytes(), true);
            tell(to -> to.end(id(line), line.json()));
            post.after(limits.keep(), () -> replayBuffer.forget(position.stream()));
        }
    }

    @Override
    public void close() {
        end(200, Map.of(), EncodedJson.NOTHING);
    }

    /** Stays open while a client without a connection can still resume a stream. */
    @Override
    public boolean closed() {
        return over || (!streaming && post.closed());
    }

    /** A client that loses its stream can resume it while its session lives, so that is not reported here. */
    @Override
    public void onGone(Runnable action) {
        onGone.add(action);
        post.onGone(() -> {
            if (!streaming) {
                gone();
            }
        });
    }

    private void gone() {
        if (!over) {
            List<Runnable> waiting = List.copyOf(onGone);
            onGone.clear();
            waiting.forEach(Runnable::run);
        }
    }

    /** The stream can't be resumed any more, so the current reader is the last; on any thread. */
    void lastReader() {
        post.execute(() -> tell(to -> {
            if (to.closed()) {
                post.execute(this::gone);
            } else {
                to.onGone(() -> post.execute(this::gone));
            }
        }));
    }

    @Override
    public void execute(Runnable action) {
        post.execute(action);
    }

    @Override
    public Runnable after(Duration delay, Runnable action) {
        return post.after(delay, action);
    }

    /** From now on {@code next} reads, beginning after {@code last}; on any thread. */
    void resume(ReplayBuffer.EventId last, ReplySink next) {
        post.execute(() -> {
            tell(ReplySink::replaced);
            read(next, last, replayBuffer.after(last));
        });
    }

    private void read(ReplySink next, ReplayBuffer.EventId from, List<ReplayBuffer.Event> missed) {
        reader = next;
        tell(to -> {
            to.open(Map.of());
            to.resumable(from.id() + suffix, limits.retry());
            missed.forEach(line -> to.event(id(line), line.json(), Urgency.KEEP));
        });
        callOff.run();
        if (over) {
            tell(ReplySink::close);
        } else if (limits.hangUpAfter() != null) {
            callOff = post.after(limits.hangUpAfter(), () -> tell(ReplySink::close));
        } else {
            callOff = NOTHING;
        }
    }

    /** Calls the reader on its own event loop, in order. */
    private void tell(Consumer<ReplySink> what) {
        ReplySink to = reader;
        to.execute(() -> what.accept(to));
    }

    private String id(ReplayBuffer.Event line) {
        return line.position().id() + suffix;
    }

    private ReplayBuffer.Event said(byte[] json, boolean last) {
        position = position.next();
        ReplayBuffer.Event line = new ReplayBuffer.Event(position, json, last);
        replayBuffer.keep(last && json.length > limits.maxBytes() ? instead() : line);
        return line;
    }

    /** The event for a client that resumes for an answer that was too large to be kept. */
    private ReplayBuffer.Event instead() {
        EncodedJson error = RpcCodec.error(
                request,
                RpcError.INTERNAL.code(),
                "The answer was larger than the " + limits.maxBytes()
                        + " bytes that are kept for a client whose connection broke. Ask for less, or ask again.",
                null);
        return new ReplayBuffer.Event(position, error.bytes(), true);
    }
}
