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
import switchboard.backend.upstream.SecretsInForce;
import switchboard.config.Secret;
import switchboard.fair.Gate;

/** Makes the targets of a backend: their pools, and what watches them. */
final class TargetFactory {
    /** Beyond the longest statement: a connection that is silent for this long while in use is dead. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** In characters. The client's own limit is shorter than the query of the catalogue, which is dear to plan. */
    private static final int LONGEST_KEPT = 16 * 1024;

    private final String backend;
    private final BackendServices services;
    private final PostgresSettings settings;
    private final SecretsInForce secrets;

    /** A factory for the backend of that id. */
    TargetFactory(String backend, BackendServices services, PostgresSettings settings) {
        this.backend = backend;
        this.services = services;
        this.settings = settings;
        this.secrets = DatabaseSecrets.of(settings);
    }

    /**
     * A target whose pools connect when they are first used.
     *
     * @param name the database's name in the configuration, empty for the default one
     * @param role who to be instead of the connection's own user, or null
     */
    Target target(String name, PostgresSettings.Connection connection, PostgresSettings.@Nullable Role role) {
        Destination destination = Destination.of(connection);
        UnaryOperator<PgConnectOptions> login = role == null
                ? destination.login()
                : fresh -> as(role, destination.login().apply(fresh));
        PgConnectOptions options = login.apply(destination.options());
        Target.Place place = new Target.Place(name, destination.addresses(), options.getDatabase(), secrets);
        Tags tags = Tags.of("backend", backend, "database", place.shortName(), "role", options.getUser());
        Opening each = Opening.each(settings.limits());
        // Behind a pooler, two transactions of a client may be in different sessions, and those are others' as well.
        Opening ours = settings.pool().pgbouncer() ? each : Opening.ofSessions(settings.limits());
        PgConnectOptions own = new PgConnectOptions(options)
                .setCachePreparedStatements(!settings.pool().pgbouncer())
                .setPreparedStatementCacheMaxSize(64)
                .setPreparedStatementCacheSqlLimit(LONGEST_KEPT);
        return new Target(
                place,
                options.getUser(),
                lane(
                        new Destination(own, destination.addresses(), login),
                        tags.and("sql", "own"),
                        ours,
                        Leftovers.Own.INSTANCE),
                lane(
                        new Destination(options, destination.addresses(), login),
                        tags.and("sql", "caller"),
                        each,
                        callerLeftovers()),
                new ServerGuard(place, services.clock(), services.meters(), tags));
    }

    private static PgConnectOptions as(PostgresSettings.Role role, PgConnectOptions options) {
        Secret password = role.password();
        return options.setUser(role.user()).setPassword(password == null ? "" : password.reveal());
    }

    private ReadOnlyLane lane(Destination destination, Tags tags, Opening opening, Leftovers leftovers) {
        Pool pool = pool(destination, opening);
        PoolUse use = new PoolUse(services.meters(), tags, pool);
        Cancellation cancellation = settings.pool().pgbouncer()
                ? new Cancellation.Patient(services.vertx(), destination)
                : Cancellation.Direct.INSTANCE;
        PostgresSettings.Pool limits = settings.pool();
        Gate gate = new Gate(limits.maxSize(), limits.maxWaiting(), services.share());
        return new ReadOnlyLane(
                services.vertx(), pool, gate, limits.acquireTimeout(), use, opening, leftovers, cancellation);
    }

    private Leftovers callerLeftovers() {
        return settings.pool().pgbouncer() ? Leftovers.CallerBehindPooler.INSTANCE : Leftovers.Caller.INSTANCE;
    }

    private Pool pool(Destination destination, Opening opening) {
        PostgresSettings.Pool limits = settings.pool();
        // Before the waiting for a connection ends, so that the answer says why none came.
        Duration connecting = limits.acquireTimeout()
                .multipliedBy(4)
                .dividedBy(5L * destination.addresses().size());
        Duration silence = settings.limits().statementTimeout().plus(SILENCE);
        destination.options().setUseLayer7Proxy(limits.pgbouncer());
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
        opening.session()
                .ifPresent(statements -> builder.withConnectHandler(connection -> tell(connection, statements)));
        return destination.addresses().size() == 1
                ? builder.connectingTo(() -> Future.succeededFuture(destination.now()))
                        .build()
                : builder.connectingTo(new FirstReachable(services.vertx(), destination, connecting))
                        .build();
    }

    /** A connection that could not be told is none that calls may use. */
    private static void tell(SqlConnection connection, String statements) {
        Futures.finish(
                connection.query(statements).execute(),
                told -> connection.close(),
                untold -> ReadOnlyLane.retire(connection));
    }
}
