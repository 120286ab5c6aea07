package switchboard.backend.postgres;

import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import switchboard.config.Secret;

/** Makes connection options from settings, URLs and {@code PG*} variables, and the pools of a target. */
final class TargetFactory {
    /** Beyond the longest statement: a connection that is silent for this long while in use is dead. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final PostgresSettings settings;

    TargetFactory(Vertx vertx, PostgresSettings settings) {
        this.vertx = vertx;
        this.settings = settings;
    }

    /**
     * A target whose pools connect when they are first used.
     *
     * @param name the database's name in the configuration, empty for the default one
     * @param role who to be instead of the connection's own user, or null
     */
    Target target(String name, PostgresSettings.Connection connection, PostgresSettings.@Nullable Role role) {
        PgConnectOptions options = options(connection);
        if (role != null) {
            options.setUser(role.user());
            Secret password = role.password();
            options.setPassword(password == null ? "" : password.reveal());
        }
        Target.Place place = new Target.Place(name, options.getHost(), options.getPort(), options.getDatabase());
        PgConnectOptions own = new PgConnectOptions(options)
                .setCachePreparedStatements(!settings.pool().pgbouncer())
                .setPreparedStatementCacheMaxSize(64);
        return new Target(
                place,
                options.getUser(),
                new ReadOnlyLane(vertx, pool(own), settings.limits(), Leftovers.Own.INSTANCE),
                new ReadOnlyLane(vertx, pool(options), settings.limits(), callerLeftovers()));
    }

    private Leftovers callerLeftovers() {
        return settings.pool().pgbouncer() ? Leftovers.CallerBehindPooler.INSTANCE : Leftovers.Caller.INSTANCE;
    }

    /** Connection options: the URL if there is one, otherwise the environment; then the keys that are set. */
    static PgConnectOptions options(PostgresSettings.Connection connection) {
        Secret url = connection.url();
        PgConnectOptions options;
        try {
            options = url == null ? PgConnectOptions.fromEnv() : PgConnectOptions.fromUri(url.reveal());
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException(
                    "connection.url is not a URL of the form postgres://user:password@host:5432/database");
        }
        if (connection.host() != null) {
            options.setHost(connection.host());
        }
        if (connection.port() != null) {
            options.setPort(connection.port());
        }
        if (connection.database() != null) {
            options.setDatabase(connection.database());
        }
        if (connection.user() != null) {
            options.setUser(connection.user());
        }
        Secret password = connection.password();
        if (password != null) {
            options.setPassword(password.reveal());
        }
        secure(options, connection);
        // Only what PgBouncer lets through; the client's own set has extra_float_digits, which it refuses.
        Map<String, String> startup = new HashMap<>();
        startup.put("application_name", "switchboard");
        startup.put("client_encoding", "utf8");
        startup.put("DateStyle", "ISO");
        options.setProperties(startup);
        return options;
    }

    private static void secure(PgConnectOptions options, PostgresSettings.Connection connection) {
        String mode = connection.sslMode();
        if (mode != null) {
            try {
                options.setSslMode(SslMode.of(mode));
            } catch (IllegalArgumentException _) {
                throw new IllegalArgumentException("connection.sslMode is not one of disable, allow, prefer, require,"
                        + " verify-ca, verify-full: " + mode);
            }
        }
        if (options.getSslMode() != SslMode.DISABLE && options.getSslMode() != SslMode.ALLOW) {
            ClientSSLOptions ssl = new ClientSSLOptions();
            String authority = connection.sslRootCert();
            if (authority != null) {
                ssl.setTrustOptions(new PemTrustOptions().addCertPath(authority));
            } else {
                ssl.setTrustAll(
                        options.getSslMode() != SslMode.VERIFY_CA && options.getSslMode() != SslMode.VERIFY_FULL);
            }
            ssl.setHostnameVerificationAlgorithm(options.getSslMode() == SslMode.VERIFY_FULL ? "HTTPS" : "");
            options.setSslOptions(ssl);
        }
    }

    private Pool pool(PgConnectOptions options) {
        PostgresSettings.Pool limits = settings.pool();
        Duration silence = settings.limits().statementTimeout().plus(SILENCE);
        options.setUseLayer7Proxy(limits.pgbouncer());
        return PgBuilder.pool()
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
                        .setConnectTimeout((int) limits.acquireTimeout().toMillis())
                        .setTcpKeepAlive(true)
                        .setIdleTimeout((int) silence.toSeconds()))
                .connectingTo(options)
                .using(vertx)
                .build();
    }
}
