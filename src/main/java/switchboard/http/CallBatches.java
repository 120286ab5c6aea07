package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.console.CallAudience;
import switchboard.console.RecentCalls;
import switchboard.console.WatchedCalls;

/** What streams of calls send at one moment. Those that have come equally far send the same bytes, which are made once. */
final class CallBatches {
    private static final byte[] CALL = "\nevent: call\ndata: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAIL = {'\n', '\n'};

    private final RecentCalls recent;
    private final boolean missing;
    private final Map<Wanted, CallBatch> made = new HashMap<>();

    /** Where a stream is, and how much it may send. */
    private record Wanted(CallAudience audience, long place, int most) {}

    /**
     * Framed events.
     *
     * @param frames empty if there is nothing new
     * @param place where to go on
     */
    record CallBatch(Buffer frames, long place) {}

    CallBatches(WatchedCalls calls) {
        this.recent = calls.recent();
        this.missing = calls.source().missing();
    }

    /** Whether calls of other gateways are missing now. */
    boolean missing() {
        return missing;
    }

    /** The first events of a stream: what was there before it. */
    CallBatch first(CallAudience audience) {
        return framed(audience, recent.first(audience));
    }

    /** The events after {@code place}, with {@code most} calls. */
    CallBatch after(CallAudience audience, long place, int most) {
        return made.computeIfAbsent(
                new Wanted(audience, place, most), wanted -> framed(audience, recent.after(audience, place, most)));
    }

    /** The place that {@code id}, the last one that a reader has seen, stands for; -1 if it is none of this audience. */
    long place(CallAudience audience, @Nullable String id) {
        String before = id(audience, "");
        if (id == null || !id.startsWith(before)) {
            return -1;
        }
        try {
            long place = Long.parseUnsignedLong(id.substring(before.length()));
            return place <= recent.last(audience) ? place : -1;
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    private CallBatch framed(CallAudience audience, RecentCalls.NewCalls calls) {
        Buffer frames = Buffer.buffer();
        if (calls.missed() != 0) {
            frames.appendBuffer(missed(calls.missed(), id(audience, Long.toString(calls.place()))));
        }
        for (RecentCalls.ShownCall call : calls.calls()) {
            frames.appendString("id: " + id(audience, Long.toString(call.place())))
                    .appendBytes(CALL)
                    .appendBytes(call.json())
                    .appendBytes(TAIL);
        }
        return new CallBatch(frames, calls.place());
    }

    private String id(CallAudience audience, String place) {
        return recent.run() + "." + Integer.toHexString(audience.hashCode()) + "." + place;
    }

    /** Says that calls are missing: {@code count}, or nobody knows how many. */
    static Buffer missed(long count, String id) {
        return event("missed", count < 0 ? Json.object() : Json.object().put("calls", count), "id: " + id + "\n");
    }

    /** An event with the lines {@code before} it. */
    static Buffer event(String name, ObjectNode data, String before) {
        return Buffer.buffer(before + "event: " + name + "\ndata: " + Json.text(data) + "\n\n");
    }
}
