package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.ClusterUnavailableException.NotDone;

/**
 * The search log of all gateways. Failures are {@link ClusterUnavailableException}, or an exception that says that nobody knows:
 * then the same lines are sent again, and are there once. Thread-safe.
 */
public final class InsightTable {
    /** How many lines a page has at most. */
    public static final int PAGE = 200;

    /** A page that takes longer is given up. */
    private static final Duration READ = Duration.ofSeconds(30);

    private final ClusterDatabase database;
    private final BooleanSupplier open;
    private final InsightSql sql;
    private final InsightSweep sweep;

    /**
     * A table.
     *
     * @param open whether the schema is there, and may be used
     */
    InsightTable(ClusterDatabase database, String schema, BooleanSupplier open) {
        this.database = database;
        this.open = open;
        this.sql = new InsightSql(schema);
        this.sweep = new InsightSweep(database, sql);
    }

    private static <T> Future<T> notJoined() {
        return Future.failedFuture(new ClusterUnavailableException(NotDone.UNREACHED, "not joined yet", null));
    }

    private <T> Future<T> write(Function<SqlConnection, Future<T>> work) {
        return open.getAsBoolean() ? database.write(work, _ -> false) : notJoined();
    }

    private Future<RowSet<Row>> read(String statement, Tuple values) {
        return open.getAsBoolean()
                ? database.read(
                        connection -> connection.preparedQuery(statement).execute(values), READ)
                : notJoined();
    }

    /** The key of hashes that all gateways have: {@code made}, if there was none. */
    public Future<byte[]> hashKey(byte[] made) {
        return write(connection -> connection
                .preparedQuery(sql.makeKey())
                .execute(Tuple.of(Buffer.buffer(made)))
                .compose(_ -> connection.query(sql.key()).execute())
                .map(rows -> rows.iterator().next().getBuffer(0).getBytes()));
    }

    /** What a gateway has to know before it writes. */
    public Future<InsightLook> look() {
        if (!open.getAsBoolean()) {
            return notJoined();
        }
        return database.run(
                connection -> connection.query(sql.state()).execute().compose(states -> {
                    Row state = states.iterator().next();
                    return connection
                            .query(sql.notes())
                            .execute()
                            .map(rows -> new InsightLook(
                                    instant(state, "now"),
                                    state.getLong("forgotten"),
                                    rows.stream()
                                            .map(row -> new InsightLook.InsightNote(
                                                    instant(row, "at"), row.getString("what")))
                                            .toList()));
                }));
    }

    /** The newest searches of each of {@code askers}, a few of each, the newest ones of one first. */
    public Future<List<StoredLine>> searches(List<InsightAsker> askers) {
        Tuple values = Tuple.tuple()
                .addArrayOfString(texts(askers, asker -> InsightRow.storable(asker.team())))
                .addArrayOfString(texts(askers, asker -> InsightRow.storable(asker.asker())))
                .addArrayOfOffsetDateTime(times(askers, InsightAsker::from))
                .addArrayOfOffsetDateTime(times(askers, InsightAsker::to));
        return read(sql.searches(), values).map(InsightTable::lines);
    }

    /**
     * Writes lines, each once.
     *
     * @param forgotten what {@link #look} has said
     * @return false if something was to be forgotten since then: nothing was written, and the caller looks again
     */
    public Future<Boolean> append(List<InsightRow> rows, long forgotten) {
        Tuple values = Tuple.tuple()
                .addArrayOfUUID(rows.stream().map(InsightRow::id).toArray(UUID[]::new))
                .addArrayOfString(texts(rows, InsightRow::team))
                .addArrayOfString(texts(rows, InsightRow::asker))
                .addArrayOfString(texts(rows, InsightRow::kind))
                .addArrayOfOffsetDateTime(times(rows, InsightRow::since))
                .addArrayOfOffsetDateTime(times(rows, InsightRow::time))
                .addArrayOfString(texts(rows, InsightRow::line));
        return write(connection -> connection.query(sql.share()).execute().compose(state -> {
            if (state.iterator().next().getLong("forgotten") != forgotten) {
                return Future.succeededFuture(false);
            }
            return connection.preparedQuery(sql.append()).execute(values).map(true);
        }));
    }

    /** The teams that have lines, in order. */
    public Future<List<String>> teams() {
        return read(sql.teams(), Tuple.tuple())
                .map(rows -> rows.stream().map(row -> row.getString("team")).toList());
    }

    /** The next lines of a team after the one with the number {@code after}, {@link #PAGE} at most, without those before {@code from}. */
    public Future<List<StoredLine>> page(String team, long after, @Nullable Instant from) {
        return read(sql.page(), Tuple.of(InsightRow.storable(team), after, from == null ? null : offset(from)))
                .map(InsightTable::lines);
    }

    /** Notes that something is to be forgotten: from now on no gateway writes it any more. */
    public Future<Void> forgets(String what) {
        return write(connection -> connection
                .query(sql.changeState())
                .execute()
                .compose(_ -> connection.preparedQuery(sql.note()).execute(Tuple.of(what)))
                .mapEmpty());
    }

    /** Removes lines that meet all that is not null; returns how many were there. Done step by step, so that what was done stays. */
    public Future<Long> remove(@Nullable String team, @Nullable String asker, @Nullable Instant before) {
        Tuple values = Tuple.of(
                team == null ? null : InsightRow.storable(team),
                asker == null ? null : InsightRow.storable(asker),
                before == null ? null : offset(before));
        return sweep.steps(sql.remove(), values);
    }

    /** The next lines of a team that have {@code part}, as {@link #page} has them, and that meet all else that is not null. */
    public Future<List<StoredLine>> having(
            String part, String team, @Nullable String asker, @Nullable Instant before, long after) {
        Tuple values = Tuple.of(
                InsightRow.storable(team),
                asker == null ? null : InsightRow.storable(asker),
                before == null ? null : offset(before),
                part,
                after);
        return read(sql.having(), values).map(InsightTable::lines);
    }

    /** Replaces a line; false if it is not as {@code stored} says any more: nothing was changed. */
    public Future<Boolean> replace(StoredLine stored, String line) {
        return changed(sql.replaceOne(), Tuple.of(stored.team(), stored.number(), stored.line(), line));
    }

    /** Removes a line; false if it was gone. */
    public Future<Boolean> remove(StoredLine stored) {
        return changed(sql.removeOne(), Tuple.of(stored.team(), stored.number()));
    }

    private Future<Boolean> changed(String statement, Tuple values) {
        return write(connection ->
                connection.preparedQuery(statement).execute(values).map(rows -> rows.rowCount() > 0));
    }

    /** Whether it is this caller's turn to remove what is old: nobody has had it in the last minute. */
    public Future<Boolean> claim() {
        return open.getAsBoolean() ? sweep.claim() : notJoined();
    }

    /** Removes lines of a team that are older, and the oldest ones while they have more bytes together. */
    public Future<Void> tidy(String team, Duration keepFor, long maxBytes) {
        return sweep.tidy(team, keepFor, maxBytes);
    }

    private static List<StoredLine> lines(RowSet<Row> rows) {
        return rows.stream()
                .map(row -> new StoredLine(
                        row.getLong("number"),
                        row.getString("team"),
                        row.getString("asker"),
                        instant(row, "since"),
                        row.getString("line")))
                .toList();
    }

    private static Instant instant(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }

    private static OffsetDateTime offset(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    private static <T> String[] texts(List<T> all, Function<T, String> value) {
        return all.stream().map(value).toArray(String[]::new);
    }

    private static <T> OffsetDateTime[] times(List<T> all, Function<T, Instant> value) {
        return all.stream().map(value).map(InsightTable::offset).toArray(OffsetDateTime[]::new);
    }
}
