package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.SslMode;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import switchboard.async.Futures;
import switchboard.cluster.Timelines.Timeline;
import switchboard.config.ClusterConfig;
import switchboard.config.PemFile;
import switchboard.config.Secret;
import switchboard.database.HostAndPort;
import switchboard.database.PostgresUrl;

/** The servers of one of the URLs, and how they are connected to. The URL and the password are read for each connection. */
final class ClusterServers {
    /** How long one connection may take. */
    static final Duration CONNECTING = Duration.ofSeconds(2);

    private static final String WRITABLE =
            "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'";

    /** Which of the histories of its data a server continues: each promotion begins another one. */
    private static final String TIMELINE =
            "SELECT system_identifier, pg_walfile_name(pg_current_wal_lsn()) FROM pg_control_system()";

    private static final String PUBLIC_AUTHORITIES = "org.postgresql.ssl.DefaultJavaSSLFactory";

    private final String key;
    private final Secret url;
    private final @Nullable Secret password;
    private final @Nullable PemFile authority;
    private final boolean pooled;
    private final Timelines timelines = new Timelines();

    private ClusterServers(ClusterConfig config, String key, Secret url, boolean pooled) {
        this.key = key;
        this.url = url;
        this.password = config.password();
        this.authority = config.sslRootCert();
        this.pooled = pooled;
        var _ = parsed();
    }

    /**
     * The servers for statements, perhaps behind a pooler.
     *
     * @throws IllegalArgumentException with a message for the operator, without secrets
     */
    static ClusterServers ofStatements(ClusterConfig config) {
        return new ClusterServers(config, "cluster.database", config.database(), config.direct() != null);
    }

    /** The servers for notices and migrations. */
    static ClusterServers direct(ClusterConfig config) {
        return new ClusterServers(
                config, config.direct() == null ? "cluster.database" : "cluster.direct", config.directly(), false);
    }

    private PostgresUrl parsed() {
        PostgresUrl parsed;
        try {
            parsed = PostgresUrl.of(url.reveal());
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException(
                    key + " is not a URL of the form postgres://user:password@host:5432/database");
        }
        PgConnectOptions options = parsed.options();
        if (password != null) {
            options.setPassword(password.reveal());
        }
        try {
            PostgresUrl.secure(options, authority);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("cluster.sslRootCert: " + e.getMessage(), e);
        }
        PostgresUrl.startup(options);
        options.setUseLayer7Proxy(pooled).setCachePreparedStatements(!pooled);
        return parsed;
    }

    /**
     * The options for a connection to a server that can be written to: of a single one, without asking it. Of several that can, which
     * happens when an old primary comes back, the one with the newest timeline.
     */
    Future<SqlConnectOptions> writable(Vertx vertx) {
        PostgresUrl now;
        try {
            now = parsed();
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        List<PgConnectOptions> servers = now.addresses().stream()
                .map(address -> new PgConnectOptions(now.options())
                        .setHost(address.host())
                        .setPort(address.port()))
                .toList();
        if (servers.size() == 1) {
            return Future.succeededFuture(servers.getFirst());
        }
        return timelines.known() ? first(vertx, servers) : newest(vertx, servers);
    }

    /** The first server that is not older than one that was seen. */
    private Future<SqlConnectOptions> first(Vertx vertx, List<PgConnectOptions> servers) {
        PgConnectOptions server = servers.getFirst();
        Future<SqlConnectOptions> checked = timeline(vertx, server)
                .compose(timeline -> timelines.current(timeline)
                        ? Future.succeededFuture(server)
                        : Future.failedFuture("the server " + server.getHost() + ":" + server.getPort()
                                + " is an old primary, whose timeline another one has left"));
        return servers.size() == 1 ? checked : checked.recover(_ -> first(vertx, servers.subList(1, servers.size())));
    }

    /** The newest server of all; nothing is known of any of them. */
    private Future<SqlConnectOptions> newest(Vertx vertx, List<PgConnectOptions> servers) {
        List<Future<Timeline>> asked =
                servers.stream().map(server -> timeline(vertx, server)).toList();
        return Future.join(asked).transform(_ -> {
            asked.stream().filter(Future::succeeded).map(Future::result).forEach(timelines::current);
            return first(vertx, servers);
        });
    }

    /** The timeline of a server; fails if it can't be written to. */
    private static Future<Timeline> timeline(Vertx vertx, PgConnectOptions server) {
        return connect(vertx, server).compose(connection -> connection
                .query(WRITABLE)
                .execute()
                .compose(rows -> rows.iterator().next().getBoolean(0)
                        ? connection.query(TIMELINE).execute().map(Timeline::of).otherwise(Timeline.UNKNOWN)
                        : Future.failedFuture("none of the servers can be written to"))
                .timeout(CONNECTING.toMillis(), TimeUnit.MILLISECONDS)
                .eventually(connection::close));
    }

    /** A connection of its own to a server that can be written to. */
    Future<PgConnection> connect(Vertx vertx) {
        return writable(vertx).compose(options -> connect(vertx, new PgConnectOptions(options)));
    }

    private static Future<PgConnection> connect(Vertx vertx, PgConnectOptions options) {
        Future<PgConnection> made = PgConnection.connect(vertx, options).map(ClusterServers::quiet);
        Future<PgConnection> soon = made.timeout(CONNECTING.toMillis(), TimeUnit.MILLISECONDS);
        Futures.finish(
                made,
                late -> {
                    if (soon.failed()) {
                        late.close();
                    }
                },
                _ -> {});
        return soon;
    }

    /** The same connection; that it breaks is told to the work on it only. By default Vert.x also prints a stack trace. */
    static <C extends SqlConnection> C quiet(C connection) {
        connection.exceptionHandler(_ -> {});
        return connection;
    }

    /** The same servers for JDBC. */
    DataSource jdbc() {
        PostgresUrl now = parsed();
        PgConnectOptions options = now.options();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(now.addresses().stream().map(HostAndPort::host).toArray(String[]::new));
        source.setPortNumbers(
                now.addresses().stream().mapToInt(HostAndPort::port).toArray());
        source.setDatabaseName(options.getDatabase());
        source.setUser(options.getUser());
        source.setPassword(options.getPassword());
        source.setTargetServerType("primary");
        source.setApplicationName("switchboard");
        source.setConnectTimeout(Math.toIntExact(CONNECTING.toSeconds()));
        source.setSocketTimeout(60);
        SslMode mode = options.getSslMode();
        source.setSslMode(mode.value);
        if (authority != null) {
            source.setSslRootCert(authority.toString());
        } else if (mode == SslMode.VERIFY_CA || mode == SslMode.VERIFY_FULL) {
            source.setSslfactory(PUBLIC_AUTHORITIES);
        }
        return source;
    }
}
