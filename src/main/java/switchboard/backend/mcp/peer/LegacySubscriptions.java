package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * The resources that a server up to 2025-11-25 is subscribed to in its current session. It is asked a few at a time, until
 * it has those that are wanted, and no others. Thread-safe.
 */
final class LegacySubscriptions {
    /** Time limit of a request. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String SUBSCRIBE = "resources/subscribe";
    private static final String UNSUBSCRIBE = "resources/unsubscribe";
    private static final int AT_ONCE = 2;
    /** A server that gave no answer is not asked for anything so soon. */
    private static final Duration UNANSWERED = Duration.ofSeconds(20);

    private final Function<Peer.Request, Future<ObjectNode>> server;
    private final LongSupplier nanos;
    private final Set<String> subscribed = new HashSet<>();
    private final Postponed postponed;
    private Set<String> wanted = Set.of();
    private boolean possible;
    private boolean over;
    private long pausedUntil;
    private int session;
    private @Nullable Promise<Void> underWay;

    LegacySubscriptions(Function<Peer.Request, Future<ObjectNode>> server, LongSupplier nanos) {
        this.server = server;
        this.nanos = nanos;
        this.postponed = new Postponed(nanos);
        this.pausedUntil = nanos.getAsLong();
    }

    /** Wants these from now on. Completes when the server was asked; at once as long as nobody listens. */
    synchronized Future<Void> want(Set<String> uris) {
        wanted = uris;
        postponed.retain(uris);
        return settled();
    }

    /** Somebody listens; {@code supported} says whether the server has subscriptions. Completes when it was asked. */
    synchronized Future<Void> listening(boolean supported) {
        possible = supported && !over;
        return settled();
    }

    /** The server has no stream on which it could announce anything: it is asked for nothing until somebody listens again. */
    synchronized void unheard() {
        possible = false;
    }

    /** What the server is subscribed to. */
    synchronized Set<String> subscribed() {
        return Set.copyOf(subscribed);
    }

    /** Asks for nothing any more. */
    synchronized void end() {
        over = true;
        possible = false;
    }

    /** The session is a new one, in which there are no subscriptions. */
    synchronized void begunAnew(boolean supported) {
        session++;
        subscribed.clear(); // what was refused still waits, in case a subscription is what ends sessions
        possible &= supported;
        pausedUntil = nanos.getAsLong();
        settled();
    }

    private Future<Void> settled() {
        if (underWay == null) {
            Promise<Void> begun = Promise.promise();
            underWay = begun;
            step();
            return begun.future();
        }
        return underWay.future(); // it sees what is wanted now before it ends
    }

    private synchronized void step() {
        List<Future<?>> requests = new ArrayList<>();
        if (possible && nanos.getAsLong() - pausedUntil >= 0) {
            List.copyOf(subscribed).stream()
                    .filter(uri -> !wanted.contains(uri))
                    .limit(AT_ONCE)
                    .forEach(uri -> requests.add(unsubscribe(uri)));
            wanted.stream()
                    .filter(uri -> !subscribed.contains(uri) && !postponed.waits(uri))
                    .limit(AT_ONCE)
                    .toList()
                    .forEach(uri -> requests.add(subscribe(uri)));
        }
        if (requests.isEmpty()) {
            Promise<Void> over = underWay;
            underWay = null;
            if (over != null) {
                over.complete();
            }
        } else {
            Future.join(requests).onComplete(_ -> step());
        }
    }

    private Future<?> subscribe(String uri) {
        int begun = session;
        return server.apply(request(SUBSCRIBE, uri)).onComplete(answer -> {
            synchronized (this) {
                if (answer.failed()) {
                    // Where the session was renewed for it in vain, the server refuses it by ending sessions.
                    boolean refused = answer.cause() instanceof RpcFailure || begun != session;
                    if (refused) {
                        postponed.refused(uri);
                    } else {
                        postponed.unanswered(uri);
                        pausedUntil = nanos.getAsLong() + UNANSWERED.toNanos();
                    }
                } else if (begun == session) {
                    subscribed.add(uri);
                    postponed.remove(uri);
                } // else the answer may be of the session before, so it is asked for once more
            }
        });
    }

    /** If the server refuses it, it announces what nobody wants, and that is ignored. */
    private Future<?> unsubscribe(String uri) {
        subscribed.remove(uri);
        return server.apply(request(UNSUBSCRIBE, uri));
    }

    /** Whether it is {@code resources/subscribe} or {@code resources/unsubscribe}. */
    static boolean isSubscription(Peer.Request request) {
        return request.method().equals(SUBSCRIBE) || request.method().equals(UNSUBSCRIBE);
    }

    private static Peer.Request request(String method, String uri) {
        return Peer.Request.reading(method, Json.object().put("uri", uri));
    }
}
