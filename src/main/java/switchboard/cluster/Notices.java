package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;

/**
 * LISTEN on a connection of its own, and NOTIFY. A notice may be lost: then the connection broke, and when there is a new one,
 * those who listen look for what they missed. What is sent within a few milliseconds is one transaction, because its commit
 * takes a lock on the whole server. Thread-safe.
 */
final class Notices {
    private static final Logger LOG = LoggerFactory.getLogger(Notices.class);

    private static final long GATHER_MS = 3;
    private static final long FIRST_PAUSE_MS = 250;
    private static final long LONGEST_PAUSE_MS = 4_000;
    private static final long CHECK_MS = 5_000;
    private static final int MOST_WAITING = 10_000;

    private final Vertx vertx;
    private final ClusterServers servers;
    private final ClusterDatabase database;
    private final String channel;
    private final Consumer<String> receive;
    private final Runnable listening;
    private final List<String> waiting = new ArrayList<>();
    private @Nullable PgConnection connection;
    private boolean closed;

    /**
     * Notices.
     *
     * @param receive gets each notice
     * @param listening runs each time when notices arrive from now on
     */
    Notices(
            Vertx vertx,
            ClusterServers servers,
            ClusterDatabase database,
            String channel,
            Consumer<String> receive,
            Runnable listening) {
        this.vertx = vertx;
        this.servers = servers;
        this.database = database;
        this.channel = channel;
        this.receive = receive;
        this.listening = listening;
    }

    /** Listens from now on, until {@link #close}. */
    void open() {
        open(FIRST_PAUSE_MS);
    }

    private void open(long pauseMs) {
        if (isClosed()) {
            return;
        }
        Futures.finish(servers.connect(vertx).compose(this::listen), _ -> listening.run(), failure -> {
            LOG.debug("no connection for notices", failure);
            vertx.setTimer(pauseMs, _ -> open(Math.min(2 * pauseMs, LONGEST_PAUSE_MS)));
        });
    }

    private Future<Void> listen(PgConnection made) {
        made.notificationHandler(notice -> receive.accept(notice.getPayload()));
        return made.query("LISTEN " + channel)
                .execute()
                .timeout(CHECK_MS, TimeUnit.MILLISECONDS)
                .onFailure(_ -> made.close())
                .compose(_ -> keep(made));
    }

    private Future<Void> keep(PgConnection made) {
        synchronized (this) {
            if (closed) {
                return made.close();
            }
            connection = made;
        }
        long timer = vertx.setPeriodic(CHECK_MS, _ -> check(made));
        made.closeHandler(_ -> {
            vertx.cancelTimer(timer);
            forget();
            open(FIRST_PAUSE_MS);
        });
        return Future.succeededFuture();
    }

    /** A connection whose server is gone without a word is noticed by asking. */
    private void check(PgConnection made) {
        Futures.finish(
                made.query("SELECT 1").execute().timeout(CHECK_MS / 2, TimeUnit.MILLISECONDS),
                _ -> {},
                _ -> made.close());
    }

    private synchronized void forget() {
        connection = null;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Whether notices arrive now. */
    synchronized boolean listens() {
        return connection != null;
    }

    /** Sends a notice to all nodes, this one included. It may be lost. */
    void send(String notice) {
        boolean first;
        synchronized (waiting) {
            if (waiting.size() >= MOST_WAITING) {
                return;
            }
            first = waiting.isEmpty();
            waiting.add(notice);
        }
        if (first) {
            vertx.setTimer(GATHER_MS, _ -> flush());
        }
    }

    private void flush() {
        String[] all;
        synchronized (waiting) {
            all = waiting.toArray(String[]::new);
            waiting.clear();
        }
        Futures.finish(
                database.runRelaxed(statements -> statements
                        .preparedQuery("SELECT pg_notify($1::text, notice) FROM unnest($2::text[]) AS notice")
                        .execute(Tuple.tuple().addString(channel).addArrayOfString(all))),
                _ -> {},
                lost -> LOG.debug("{} notices were not sent", all.length, lost));
    }

    Future<Void> close() {
        PgConnection open;
        synchronized (this) {
            closed = true;
            open = connection;
        }
        return open == null ? Future.succeededFuture() : open.close();
    }
}
