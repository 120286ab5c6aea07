package switchboard.http;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.console.CallAudience;
import switchboard.console.RecentCalls;
import switchboard.console.SessionWatch;
import switchboard.console.WatchedCalls;

/**
 * One page that watches calls. It keeps no calls but only how far it has come: what its reader can't take yet stays where
 * all calls are, and is gone, and counted, when there are too many newer ones. Used on one event loop only.
 */
final class CallStream {
    /** How many calls are sent at once at most, so that pages stay cheap however many calls there are. */
    static final int MOST_AT_ONCE = 128;

    private static final int RETRY_MS = 2000;

    private final HttpServerRequest request;
    private final EventStream events;
    private final Watcher watcher;
    private final BiConsumer<CallStream, Boolean> closed;
    private long place;
    private boolean missing;
    private int allowed = MOST_AT_ONCE;
    private boolean ending;

    /**
     * Who watches.
     *
     * @param token the session, or null if none is needed
     * @param session whether it goes on
     * @param principal what the person might do when the stream began
     * @param audience what the person sees
     */
    record Watcher(@Nullable String token, SessionWatch session, Principal principal, CallAudience audience) {}

    /** Why a stream ends. */
    enum Ending {
        /** The session is over. */
        SIGNED_OUT,
        /** Nobody can say for a while whether the session goes on. */
        UNAVAILABLE,
        /** The person sees other calls now. */
        CHANGED,
        /** The gateway is being stopped. */
        STOPPING
    }

    /**
     * Starts a stream.
     *
     * @param closed called once it has ended, and whether its reader was too slow
     */
    CallStream(
            Vertx vertx,
            HttpServerRequest request,
            HttpLimits limits,
            Watcher watcher,
            BiConsumer<CallStream, Boolean> closed) {
        this.request = request;
        this.watcher = watcher;
        this.closed = closed;
        this.events = EventStream.toPage(vertx, request, limits, () -> leave(false), this::cut);
    }

    /** Sends what was there before, or what came since the reader was here. */
    void begin(CallBatches batches, WatchedCalls calls) {
        long seen = batches.place(watcher.audience(), request.getHeader("Last-Event-ID"));
        CallBatches.CallBatch batch = seen < 0
                ? batches.first(watcher.audience())
                : batches.after(watcher.audience(), seen, Integer.MAX_VALUE);
        place = batch.place();
        missing = batches.missing();
        Buffer hello = CallBatches.event(
                "hello",
                Json.object()
                        .put("sees", watcher.audience().word())
                        .put("clustered", calls.clustered())
                        .put("missing", missing)
                        .put("time", calls.clock().instant().toString())
                        .put("resumed", seen >= 0),
                "retry: " + RETRY_MS + "\n");
        events.sendFramed(hello.appendBuffer(batch.frames()));
    }

    /** Sends what is new, if the reader has taken everything before. */
    void send(CallBatches batches) {
        if (ending) {
            return;
        }
        if (!events.caughtUp()) {
            allowed = Math.min(allowed + MOST_AT_ONCE, RecentCalls.KEPT);
            return;
        }
        CallBatches.CallBatch batch = batches.after(watcher.audience(), place, allowed);
        allowed = MOST_AT_ONCE;
        place = batch.place();
        Buffer frames = batch.frames();
        if (batches.missing() != missing) {
            missing = batches.missing();
            frames = CallBatches.event("gateways", Json.object().put("missing", missing), "")
                    .appendBuffer(frames);
        }
        if (frames.length() > 0) {
            events.sendFramed(frames);
        }
    }

    /** Says why, and ends. */
    void end(Ending why) {
        if (!ending) {
            ending = true;
            events.sendFramed(CallBatches.event(
                    "over", Json.object().put("reason", why.name().toLowerCase(Locale.ROOT)), ""));
            events.finish("", new byte[0]).onComplete(_ -> leave(false));
        }
    }

    Watcher watcher() {
        return watcher;
    }

    /** Its reader takes nothing any more. */
    private void cut() {
        leave(true);
        Http2Streams.endExchange(request);
    }

    private void leave(boolean tooSlow) {
        ending = true;
        events.release();
        closed.accept(this, tooSlow);
    }
}
