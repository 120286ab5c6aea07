package switchboard.backend.postgres;

import io.micrometer.core.instrument.Tags;
import io.vertx.core.Future;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.ClientBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.backend.BackendServices;
import switchboard.concurrent.FairSemaphore;
import switchboard.config.Secret;
import switchboard.upstream.LiveSecrets;

/** Makes the connection profiles of a backend: their pools, and what watches them. */
final class ConnectionProfileFactory {
    /** Beyond the longest statement: a connection that is silent for this long while in use is dead. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** Longest SQL that is cached as a prepared statement, in characters. The catalogue query, which is expensive to plan, is longer than the client's own limit. */
    private static final int LONGEST_KEPT = 16 * 1024;

    private final String backend;
    private final BackendServices services;
    private final PostgresSettings settings;
    private final LiveSecrets secrets;

    /** A factory for the backend of that id. */
    ConnectionProfileFactory(String backend, BackendServices services, PostgresSettings settings) {
        this.backend = backend;
        this.services = services;
        this.settings = settings;
        this.secrets = DatabaseSecrets.of(settings);
    }

    /**
     * A profile whose pools connect on first use.
     *
     * @param name the database's name in the configuration, empty for the default one
     * @param role the role instead of the connection's own user, or null
     */
    ConnectionProfile profile(
            String name, PostgresSettings.Connection connection, PostgresSettings.@Nullable Role role) {
        ConnectionSettings connectionSettings = ConnectionSettings.of(connection);
        UnaryOperator<PgConnectOptions> login = role == null
                ? connectionSettings.login()
                : fresh -> as(role, connectionSettings.login().apply(fresh));
        PgConnectOptions options = login.apply(connectionSettings.options());
        ConnectionProfile.Database database =
                new ConnectionProfile.Database(name, connectionSettings.addresses(), options.getDatabase(), secrets);
        Tags tags = Tags.of("backend", backend, "database", database.shortName(), "role", options.getUser());
        TransactionPreamble each = TransactionPreamble.each(settings.limits());
        // Behind a pooler, two transactions of a client may be in different sessions, and those are others' as well.
        TransactionPreamble ours =
                settings.pool().pgbouncer() ? each : TransactionPreamble.ofSessions(settings.limits());
        PgConnectOptions own = new PgConnectOptions(options)
                .setCachePreparedStatements(!settings.pool().pgbouncer())
                .setPreparedStatementCacheMaxSize(64)
                .setPreparedStatementCacheSqlLimit(LONGEST_KEPT);
        return new ConnectionProfile(
                database,
                options.getUser(),
                pool(
                        new ConnectionSettings(own, connectionSettings.addresses(), login),
                        tags.and("sql", "own"),
                        ours,
                        SessionReset.OwnSql.INSTANCE),
                pool(
                        new ConnectionSettings(options, connectionSettings.addresses(), login),
                        tags.and("sql", "caller"),
                        each,
                        callerLeftovers()),
                new ServerCircuitBreaker(database, services.clock(), services.meters(), tags));
    }

    private static PgConnectOptions as(PostgresSettings.Role role, PgConnectOptions options) {
        Secret password = role.password();
        return options.setUser(role.user()).setPassword(password == null ? "" : password.reveal());
    }

    private ReadOnlyPool pool(
            ConnectionSettings connectionSettings,
            Tags tags,
            TransactionPreamble transactionPreamble,
            SessionReset sessionReset) {
        Pool pool = pool(connectionSettings, transactionPreamble);
        PoolMetrics use = new PoolMetrics(services.meters(), tags, pool);
        Cancellation cancellation = settings.pool().pgbouncer()
                ? new Cancellation.CloseAfterServer(services.vertx(), connectionSettings)
                : Cancellation.CloseAtOnce.INSTANCE;
        PostgresSettings.Pool limits = settings.pool();
        FairSemaphore fairSemaphore = new FairSemaphore(limits.maxSize(), limits.maxWaiting(), services.share());
        return new ReadOnlyPool(
                services.vertx(),
                pool,
                fairSemaphore,
                limits.acquireTimeout(),
                use,
                transactionPreamble,
                sessionReset,
                cancellation);
    }

    private SessionReset callerLeftovers() {
        return settings.pool().pgbouncer()
                ? SessionReset.CallerSqlBehindPooler.INSTANCE
                : SessionReset.CallerSql.INSTANCE;
    }

    private Pool pool(ConnectionSettings connectionSettings, TransactionPreamble transactionPreamble) {
        PostgresSettings.Pool limits = settings.pool();
        // Before the waiting for a connection ends, so that the answer says why none came.
        Duration connecting = limits.acquireTimeout()
                .multipliedBy(4)
                .dividedBy(5L * connectionSettings.addresses().size());
        Duration silence = settings.limits().statementTimeout().plus(SILENCE);
        connectionSettings.options().setUseLayer7Proxy(limits.pgbouncer());
        ClientBuilder<Pool> builder = PgBuilder.pool()
                .with(new PoolOptions()
                        .setMaxSize(limits.maxSize())
                        .setMaxWaitQueueSize(limits.maxWaiting())
                        .setConnectionTimeout((int) limits.acquireTimeout().toMillis())
                        .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setIdleTimeout((int) limits.idleTimeout().toSeconds())
                        .setIdleTimeoutUnit(TimeUnit.SECONDS)
                        .setMaxLifetime((int) limits.maxLifetime().toSeconds())
                        .setMaxLifetimeUnit(TimeUnit.SECONDS))
                .with(new NetClientOptions()
                        .setConnectTimeout((int) connecting.toMillis())
                        .setTcpKeepAlive(true)
                        .setIdleTimeout((int) silence.toSeconds()))
                .using(services.vertx());
        transactionPreamble
                .session()
                .ifPresent(statements -> builder.withConnectHandler(connection -> tell(connection, statements)));
        return connectionSettings.addresses().size() == 1
                ? builder.connectingTo(() -> Future.succeededFuture(connectionSettings.now()))
                        .build()
                : builder.connectingTo(new FirstReachableServer(services.vertx(), connectionSettings, connecting))
                        .build();
    }

    /** Runs the initial statements. A connection on which that failed must not be used. */
    private static void tell(SqlConnection connection, String statements) {
        Futures.finish(
                connection.query(statements).execute(),
                told -> connection.close(),
                untold -> ReadOnlyPool.retire(connection));
    }
}
