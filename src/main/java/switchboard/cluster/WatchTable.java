package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.ClusterUnavailableException.NotDone;
import switchboard.cluster.DocumentTables.LookEnd;

/**
 * The standing questions of all nodes. A row has a revision, which each change makes larger by one. Failures are {@link
 * ClusterUnavailableException}. Thread-safe.
 */
public final class WatchTable {
    /** What nodes tell each other when a row has changed: like the id of a backend, but none can have it. */
    public static final String NOTICE = "watch://";

    /** {@link #rows} takes at most so many. */
    public static final int PAGE = 100;

    /** So many heads come at once, so that no thread reads the answer for long. */
    private static final int HEADS = 1000;

    private static final Duration LOOK = Duration.ofSeconds(3);
    private static final Duration PAGE_TIME = Duration.ofSeconds(10);

    private final ClusterDatabase database;
    private final String node;
    private final BooleanSupplier open;
    private final WatchSql sql;

    /**
     * The table.
     *
     * @param node the id of this node
     * @param open whether the schema is there, and may be used
     */
    WatchTable(ClusterDatabase database, String schema, String node, BooleanSupplier open) {
        this.database = database;
        this.node = node;
        this.open = open;
        this.sql = new WatchSql(schema + ".watch");
    }

    /**
     * What is known of a row without its body.
     *
     * @param own whether this node wrote it last
     * @param live whether the question has not ended
     */
    public record WatchHead(String uri, long revision, boolean own, boolean live) {}

    /**
     * A row.
     *
     * @param body null if the question has ended
     */
    public record WatchRow(WatchHead head, byte @Nullable [] body) {
        /** Does not contain the body. */
        @Override
        public String toString() {
            return "WatchRow[" + head + "]";
        }
    }

    /**
     * Where a page of a look begins: the row after that one, by the transaction that changed it last and its URI.
     *
     * @param touched a transaction
     */
    public record LookPlace(String touched, String uri) {}

    /**
     * A page of what a look found.
     *
     * @param heads of rows that may have changed since the look before; all at first
     * @param next says what the next look can leave out, of the first page
     * @param more where the next page begins; empty if this is the last one
     */
    public record WatchLook(List<WatchHead> heads, LookEnd next, Optional<LookPlace> more) {
        public WatchLook {
            heads = List.copyOf(heads);
        }
    }

    /** The statements on the table. */
    private record WatchSql(String table) {
        private static final String HEAD = "uri, revision, node, body IS NOT NULL AS live";
        private static final String NEXT =
                " revision = revision + 1, node = $2, touched = pg_current_xact_id(), changed = now() WHERE uri = $1";
        private static final String REVISION = " RETURNING revision";

        /** So that questions of a team that are asked at once are counted one after the other. */
        String lock() {
            return "SELECT pg_advisory_xact_lock(hashtextextended('" + table + ' ' + "' || $1::text, 0))";
        }

        String add() {
            return "INSERT INTO " + table + " (uri, team, body, node) SELECT $1, $2::text, $3, $4"
                    + " WHERE (SELECT count(*) FROM " + table
                    + " WHERE team = $2::text AND body IS NOT NULL) < $5::bigint"
                    + REVISION;
        }

        String change() {
            return "UPDATE " + table + " SET body = $3," + NEXT + " AND revision = $4 AND body IS NOT NULL" + REVISION;
        }

        /** What is left for a while, so that others see that it has ended, tells of nobody. */
        String end() {
            return "UPDATE " + table + " SET body = NULL, team = ''," + NEXT + " AND body IS NOT NULL" + REVISION;
        }

        String touch() {
            return "UPDATE " + table + " SET" + NEXT + " AND body IS NOT NULL";
        }

        /** What is changed while pages are read moves to a later page, or is found by the next look. */
        String look() {
            return "SELECT now.oldest, now.server, page.touched::text AS place, page.uri, revision, node, live"
                    + " FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,"
                    + " pg_postmaster_start_time()::text AS server) now LEFT JOIN (SELECT touched, " + HEAD + " FROM "
                    + table + " WHERE (touched, uri) > ($1::text::xid8, $2::text) ORDER BY touched, uri LIMIT " + HEADS
                    + ") page ON true ORDER BY page.touched, page.uri";
        }

        /** Node '' is none: so each node sees that somebody else has written it. */
        String takeOver() {
            return "INSERT INTO " + table + " (uri, team, body, node) VALUES ($1, $2, $3, '') ON CONFLICT DO NOTHING";
        }

        String rows() {
            return "SELECT " + HEAD + ", body FROM " + table + " WHERE uri = ANY($1::text[])";
        }

        /** A node that was away for longer compares all. */
        String sweep() {
            return "DELETE FROM " + table + " WHERE body IS NULL AND changed < now() - interval '1 hour'";
        }

        String forget() {
            return "DELETE FROM " + table + " WHERE changed < now() - $1::bigint * interval '1 second'";
        }
    }

    /**
     * Adds a question, unless its team has {@code most}.
     *
     * @return its revision; empty if the team has as many
     */
    public Future<Optional<Long>> add(String uri, String team, byte[] body, int most) {
        return opened(connection -> connection
                .preparedQuery(sql.lock())
                .execute(Tuple.of(team))
                .compose(_ -> connection
                        .preparedQuery(sql.add())
                        .execute(Tuple.of(uri, team, Buffer.buffer(body), node, (long) most)))
                .map(WatchTable::revision));
    }

    /**
     * Changes the question with that URI, if {@code revision} is its newest one.
     *
     * @return its revision then; empty if it has another one, or has ended
     */
    public Future<Optional<Long>> change(String uri, long revision, byte[] body) {
        return opened(connection -> connection
                .preparedQuery(sql.change())
                .execute(Tuple.of(uri, node, Buffer.buffer(body), revision))
                .map(WatchTable::revision));
    }

    /** Ends the question with that URI; returns its last revision, or nothing if there was none. */
    public Future<Optional<Long>> end(String uri) {
        return opened(connection ->
                connection.preparedQuery(sql.end()).execute(Tuple.of(uri, node)).map(WatchTable::revision));
    }

    /** Gives the question with that URI another revision, so that other nodes look at it. */
    public Future<Void> touch(String uri) {
        return opened(connection -> connection
                .preparedQuery(sql.touch())
                .execute(Tuple.of(uri, node))
                .mapEmpty());
    }

    private <T> Future<T> opened(Function<SqlConnection, Future<T>> work) {
        return open.getAsBoolean() ? database.run(work) : notJoined();
    }

    private static <T> Future<T> notJoined() {
        return Future.failedFuture(
                new ClusterUnavailableException(NotDone.UNREACHED, "this gateway has not joined the others yet", null));
    }

    private static Optional<Long> revision(RowSet<Row> rows) {
        return rows.size() == 0
                ? Optional.empty()
                : Optional.of(rows.iterator().next().getLong("revision"));
    }

    /**
     * Adds a question that a node kept by itself before, however many its team has. Nothing changes if it is there, or was a moment ago.
     */
    public Future<Void> takeOver(String uri, String team, byte[] body) {
        return opened(connection -> connection
                .preparedQuery(sql.takeOver())
                .execute(Tuple.of(uri, team, Buffer.buffer(body)))
                .mapEmpty());
    }

    /** The first heads of what may have changed since {@code before}, ended ones included. One statement. */
    public Future<WatchLook> look(LookEnd before) {
        return look(new LookPlace(before.oldest(), ""));
    }

    /** The page after {@code page}; empty if there is none. */
    public Future<Optional<WatchLook>> after(WatchLook page) {
        return page.more()
                .map(place -> look(place).map(Optional::of))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<WatchLook> look(LookPlace place) {
        if (!open.getAsBoolean()) {
            return notJoined();
        }
        return database.read(
                connection -> connection
                        .preparedQuery(sql.look())
                        .execute(Tuple.of(place.touched(), place.uri()))
                        .map(this::page),
                LOOK);
    }

    private WatchLook page(RowSet<Row> rows) {
        List<WatchHead> heads = new ArrayList<>();
        LookEnd seen = LookEnd.NOTHING;
        LookPlace last = null;
        for (Row row : rows) {
            seen = new LookEnd(row.getString("oldest"), row.getString("server"));
            if (row.getString("uri") != null) {
                heads.add(head(row));
                last = new LookPlace(row.getString("place"), row.getString("uri"));
            }
        }
        return new WatchLook(heads, seen, heads.size() < HEADS ? Optional.empty() : Optional.ofNullable(last));
    }

    /** Parts of {@code uris} for {@link #rows}. */
    public static List<List<String>> parts(List<String> uris) {
        return IntStream.iterate(0, start -> start < uris.size(), start -> start + PAGE)
                .mapToObj(start -> uris.subList(start, Math.min(uris.size(), start + PAGE)))
                .toList();
    }

    /** The rows with these URIs, at most {@value #PAGE}, as they are now. */
    public Future<List<WatchRow>> rows(List<String> uris) {
        return database.read(
                connection -> connection
                        .preparedQuery(sql.rows())
                        .execute(Tuple.of(uris.toArray(String[]::new)))
                        .map(found -> {
                            List<WatchRow> rows = new ArrayList<>();
                            for (Row row : found) {
                                Buffer body = row.getBuffer("body");
                                rows.add(new WatchRow(head(row), body == null ? null : body.getBytes()));
                            }
                            return rows;
                        }),
                PAGE_TIME);
    }

    private WatchHead head(Row row) {
        return new WatchHead(
                row.getString("uri"),
                row.getLong("revision"),
                node.equals(row.getString("node")),
                row.getBoolean("live"));
    }

    /** Removes what nobody has changed for {@code time}. */
    public Future<Void> forget(Duration time) {
        return opened(connection -> connection
                .preparedQuery(sql.forget())
                .execute(Tuple.of(time.toSeconds()))
                .mapEmpty());
    }

    /** Removes what has ended. */
    Future<Void> sweep() {
        return database.runRelaxed(
                connection -> connection.query(sql.sweep()).execute().mapEmpty());
    }
}
