package switchboard.protocol.legacy;

import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The messages on the streams of a session, for a client that lost one of them. The newest messages of all streams
 * together are kept, so a session's memory is limited. Thread-safe, because streams use the event loops of their
 * requests.
 */
final class ReplayBuffer {
    private static final Pattern ID = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

    /** Ids have at most 18 digits. */
    private static final long MOST_EARLIER = 900_000_000_000_000_000L;

    private final ResumeLimits limits;
    private final Map<Long, ResumableReply> streams = new HashMap<>();
    private final Deque<Event> lines = new ArrayDeque<>();
    private long opened;
    private long bytes;

    /** A buffer whose streams have numbers above {@code opened}. */
    ReplayBuffer(ResumeLimits limits, long opened) {
        this.limits = limits;
        this.opened = opened;
    }

    /** A buffer with random numbers, so that an event id of an earlier process leads to no stream of this one. */
    static ReplayBuffer create(ResumeLimits limits) {
        return new ReplayBuffer(limits, new SecureRandom().nextLong(MOST_EARLIER));
    }

    /**
     * A position on a stream, as in an event id.
     *
     * @param stream number of the stream in the session
     * @param number number of the message on it, from 1; 0 is before the first
     */
    record EventId(long stream, long number) {
        /** Parses an event id; empty if it is not valid. */
        static Optional<EventId> of(String id) {
            Matcher matcher = ID.matcher(id);
            return matcher.matches()
                    ? Optional.of(new EventId(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                    : Optional.empty();
        }

        EventId next() {
            return new EventId(stream, number + 1);
        }

        String id() {
            return stream + "-" + number;
        }
    }

    /**
     * A message at its position.
     *
     * @param last whether nothing follows it
     */
    record Event(EventId position, byte[] json, boolean last) {}

    /** A new stream begins with {@code reply}; returns the position before its first message. */
    synchronized EventId open(ResumableReply reply) {
        opened++;
        streams.put(opened, reply);
        return new EventId(opened, 0);
    }

    /** Keeps {@code line}, unless it is larger than all that may be kept; the oldest ones make room. */
    synchronized void keep(Event line) {
        if (line.json().length > limits.maxBytes()) {
            return;
        }
        lines.add(line);
        bytes += line.json().length;
        while (lines.size() > limits.maxMessages() || bytes > limits.maxBytes()) {
            Event oldest = lines.remove();
            bytes -= oldest.json().length;
            if (oldest.last()) {
                streams.remove(oldest.position().stream());
            }
        }
    }

    /** The stream of that number, if something of it can still follow. */
    synchronized Optional<ResumableReply> stream(long number) {
        return Optional.ofNullable(streams.get(number));
    }

    /** The stored messages of the stream after {@code position}. */
    synchronized List<Event> after(EventId position) {
        return lines.stream()
                .filter(line -> line.position().stream() == position.stream()
                        && line.position().number() > position.number())
                .toList();
    }

    /** The session has ended, so no stream can be resumed. */
    void end() {
        List<ResumableReply> all;
        synchronized (this) {
            all = List.copyOf(streams.values());
        }
        all.forEach(ResumableReply::lastReader);
    }

    /** The stream will not be resumed any more. */
    synchronized void forget(long stream) {
        streams.remove(stream);
        lines.removeIf(line -> {
            boolean its = line.position().stream() == stream;
            bytes -= its ? line.json().length : 0;
            return its;
        });
    }
}
