package switchboard.protocol.legacy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was said on the streams of a session, for a client that lost one of them. Of all streams together the newest
 * messages are kept, so a session's share of the memory is bounded whatever is said. Thread-safe: streams live on the event
 * loops of their requests.
 */
final class ReplayBuffer {
    private static final Pattern ID = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

    private final ResumeLimits limits;
    private final Map<Long, ResumableReply> streams = new HashMap<>();
    private final Deque<Event> lines = new ArrayDeque<>();
    private long opened;
    private long bytes;

    ReplayBuffer(ResumeLimits limits) {
        this.limits = limits;
    }

    /**
     * A place on a stream, which is what an event id says.
     *
     * @param stream which stream of the session
     * @param number which message on it, from 1; 0 is before the first
     */
    record EventId(long stream, long number) {
        /** The place that {@code id} says, if it says one. */
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
     * A message at its place.
     *
     * @param last whether nothing follows it
     */
    record Event(EventId place, byte[] json, boolean last) {}

    /** A new stream begins with {@code reply}; returns the place before its first message. */
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
                streams.remove(oldest.place().stream());
            }
        }
    }

    /** The stream of that number, if something of it can still follow. */
    synchronized Optional<ResumableReply> stream(long number) {
        return Optional.ofNullable(streams.get(number));
    }

    /** What is kept of {@code place}'s stream behind it. */
    synchronized List<Event> after(EventId place) {
        return lines.stream()
                .filter(line ->
                        line.place().stream() == place.stream() && line.place().number() > place.number())
                .toList();
    }

    /** The session has ended: nobody can come back for any stream. */
    void end() {
        List<ResumableReply> all;
        synchronized (this) {
            all = List.copyOf(streams.values());
        }
        all.forEach(ResumableReply::lastReader);
    }

    /** Nobody will come back for the stream. */
    synchronized void forget(long stream) {
        streams.remove(stream);
        lines.removeIf(line -> {
            boolean its = line.place().stream() == stream;
            bytes -= its ? line.json().length : 0;
            return its;
        });
    }
}
