package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Optional;

/**
 * Work that one node at a time does. The database's clock decides who has it. A transaction of the work first locks the row of its
 * lease: then nobody can take the work over before that transaction has ended. Failures are {@link ClusterUnavailableException}.
 * Thread-safe.
 */
public final class JobTable {
    /** So long a lease lasts from its last renewal on; longer than a paused transaction. */
    public static final Duration LEASE = Duration.ofSeconds(10);

    private static final String THIS = " WHERE backend = $1 AND owner = $2 AND name = $3";
    private static final String MINE = THIS + " AND holder = $4 AND fence = $5";
    private static final String END = "clock_timestamp() + interval '" + LEASE.toSeconds() + " seconds'";

    private final ClusterDatabase database;
    private final String node;
    private final String make;
    private final String free;
    private final String take;
    private final String renew;
    private final String release;
    private final String hold;
    private final String sweep;

    JobTable(ClusterDatabase database, String schema, String node) {
        String job = schema + ".job";
        this.database = database;
        this.node = node;
        this.make = "INSERT INTO " + job + " (backend, owner, name, holder, fence, until)"
                + " VALUES ($1, $2, $3, '', 0, to_timestamp(0)) ON CONFLICT DO NOTHING";
        this.free = "SELECT fence FROM " + job + THIS
                + " AND (until <= clock_timestamp() OR holder = $4) FOR UPDATE SKIP LOCKED";
        this.take = "UPDATE " + job + " SET holder = $4, fence = nextval('" + schema + ".job_fence'), until = " + END
                + THIS + " RETURNING fence";
        this.renew = "UPDATE " + job + " SET until = " + END + MINE + " AND until > clock_timestamp()";
        this.release = "UPDATE " + job + " SET until = to_timestamp(0)" + MINE;
        this.hold = "SELECT fence FROM " + job + MINE + " AND until > clock_timestamp() FOR KEY SHARE";
        this.sweep = "DELETE FROM " + job + " WHERE until < now() - interval '1 day'";
    }

    /**
     * Takes some work; empty while another node has it. What this node itself had of it is over then.
     */
    public Future<Optional<JobLease>> take(DocumentTables.Place job) {
        Tuple key = Tuple.of(job.backend(), job.owner(), job.name());
        Tuple mine = Tuple.of(job.backend(), job.owner(), job.name(), node);
        return database.run(connection -> connection
                .preparedQuery(make)
                .execute(key)
                .compose(_ -> connection.preparedQuery(free).execute(mine))
                .compose(found -> found.size() == 0
                        ? Future.succeededFuture(Optional.empty())
                        : connection
                                .preparedQuery(take)
                                .execute(mine)
                                .map(taken -> Optional.of(new JobLease(
                                        job, node, taken.iterator().next().getLong("fence"))))));
    }

    /** Makes a lease last longer; false if it is over. */
    public Future<Boolean> renew(JobLease lease) {
        return database.runRelaxed(connection ->
                connection.preparedQuery(renew).execute(values(lease)).map(rows -> rows.rowCount() == 1));
    }

    /** Ends a lease, so that others need not wait. */
    public Future<Void> release(JobLease lease) {
        return database.runRelaxed(connection ->
                connection.preparedQuery(release).execute(values(lease)).mapEmpty());
    }

    /** Keeps others from taking the work over until the transaction has ended; fails with {@link LeaseLostException} if it is over. */
    Future<Void> hold(SqlConnection connection, JobLease lease) {
        return connection.preparedQuery(hold).execute(values(lease)).map(rows -> {
            if (rows.size() == 0) {
                throw new LeaseLostException();
            }
            return null;
        });
    }

    private static Tuple values(JobLease lease) {
        return Tuple.of(lease.job().backend(), lease.job().owner(), lease.job().name(), lease.holder(), lease.fence());
    }

    /** Forgets what nobody has worked on for a day. */
    Future<Void> sweep() {
        return database.runRelaxed(
                connection -> connection.query(sweep).execute().mapEmpty());
    }
}
