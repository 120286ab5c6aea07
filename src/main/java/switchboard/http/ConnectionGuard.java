package switchboard.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import switchboard.async.HttpConnections;

/**
 * Limits the number of connections of one server instance, and closes idle ones. A connection is idle while no request
 * is under way on it: a half-sent header does not keep it open, an open stream does. Used on one event loop only.
 */
final class ConnectionGuard {
    private final Vertx vertx;
    private final HttpLimits limits;
    private final HttpMeters meters;
    private final Map<HttpConnection, Activity> open = new HashMap<>();
    private final long sweeper;
    private boolean leaving;

    ConnectionGuard(Vertx vertx, HttpLimits limits, HttpMeters meters) {
        this.vertx = vertx;
        this.limits = limits;
        this.meters = meters;
        Duration pause = limits.idleTimeout().dividedBy(4);
        this.sweeper = vertx.setPeriodic(Math.max(1, pause.toMillis()), id -> closeIdle());
    }

    void opened(HttpConnection connection) {
        HttpConnections.quiet(connection);
        Http2Writability.watch(connection);
        if (open.size() >= limits.maxConnections()) {
            connection.close();
            return;
        }
        open.put(connection, new Activity());
        meters.connectionOpened();
        connection.closeHandler(gone -> {
            if (open.remove(connection) != null) {
                meters.connectionClosed();
            }
        });
    }

    /** Counts {@code request} as under way until its response has ended. */
    void track(HttpServerRequest request) {
        Activity activity = open.get(request.connection());
        if (activity != null) {
            activity.requests++;
            request.response().endHandler(ended -> activity.ended());
        }
        if (request.version() == HttpVersion.HTTP_1_1) {
            request.response().headersEndHandler(_ -> announceClose(request.response()));
        }
    }

    /**
     * Adds {@code Connection: close} (RFC 9112, section 9.6). Without it a client may send its next request on a
     * connection that is being closed. What balances connections, such as a service of Kubernetes, does not see requests.
     */
    private void announceClose(HttpServerResponse response) {
        if (leaving) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
    }

    /** From now on, clients are told to use no connection again, so that they come to another gateway. */
    void leave() {
        leaving = true;
    }

    void stop() {
        leave();
        vertx.cancelTimer(sweeper);
    }

    private void closeIdle() {
        long longAgo = System.nanoTime() - limits.idleTimeout().toNanos();
        List<HttpConnection> idle = open.entrySet().stream()
                .filter(entry -> entry.getValue().idleSince(longAgo))
                .map(Map.Entry::getKey)
                .toList();
        idle.forEach(HttpConnection::close);
    }

    private static final class Activity {
        private int requests;
        private long lastEnd = System.nanoTime();

        void ended() {
            requests--;
            lastEnd = System.nanoTime();
        }

        boolean idleSince(long nanoTime) {
            return requests == 0 && lastEnd - nanoTime < 0;
        }
    }
}
