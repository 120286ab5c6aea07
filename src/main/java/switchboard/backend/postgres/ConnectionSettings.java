package switchboard.backend.postgres;

import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import switchboard.config.PemFile;
import switchboard.config.Secret;
import switchboard.database.HostAndPort;
import switchboard.database.PostgresUrl;

/**
 * The destination of a configured connection: from the settings, and for missing values from a URL or the {@code PG*}
 * variables. Several hosts are servers of the same data; the first one that can be reached is used.
 *
 * @param options for the first address
 * @param addresses at least one, in the order of attempts
 * @param login sets the current user and password in options
 */
record ConnectionSettings(
        PgConnectOptions options, List<HostAndPort> addresses, UnaryOperator<PgConnectOptions> login) {
    ConnectionSettings {
        addresses = List.copyOf(addresses);
    }

    /** The options for a connection that is made now. */
    PgConnectOptions now() {
        return login.apply(new PgConnectOptions(options));
    }

    /**
     * The destination of {@code connection}.
     *
     * @throws IllegalArgumentException with a message for the operator, without secrets
     */
    static ConnectionSettings of(PostgresSettings.Connection connection) {
        ConnectionSettings base = connection.url() == null
                ? fromEnvironment()
                : fromUrl(connection.url().reveal());
        PgConnectOptions options = base.options();
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
        PostgresUrl.startup(options);
        return new ConnectionSettings(options, addresses(connection, base), login(connection)).atFirst();
    }

    /**
     * The destination of a URL in libpq's format, possibly with several hosts.
     *
     * @throws IllegalArgumentException if it is not valid; the message does not contain it
     */
    static ConnectionSettings fromUrl(String url) {
        try {
            PostgresUrl parsed = PostgresUrl.of(url);
            return of(parsed.options(), parsed.addresses());
        } catch (IllegalArgumentException _) {
            throw notAUrl();
        }
    }

    private static ConnectionSettings fromEnvironment() {
        try {
            PgConnectOptions options = PgConnectOptions.fromEnv();
            return of(options, HostAndPort.list(options.getHost(), options.getPort()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the PG* environment variables: " + e.getMessage(), e);
        }
    }

    private static List<HostAndPort> addresses(PostgresSettings.Connection connection, ConnectionSettings base) {
        Integer port = connection.port();
        String host = connection.host();
        try {
            if (host != null) {
                return HostAndPort.list(host, port == null ? base.options().getPort() : port);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("connection.host: " + e.getMessage(), e);
        }
        return port == null
                ? base.addresses()
                : base.addresses().stream()
                        .map(hostAndPort -> new HostAndPort(hostAndPort.host(), port))
                        .toList();
    }

    private static ConnectionSettings of(PgConnectOptions options, List<HostAndPort> addresses) {
        HostAndPort first = addresses.getFirst();
        return new ConnectionSettings(
                options.setHost(first.host()).setPort(first.port()), addresses, UnaryOperator.identity());
    }

    private ConnectionSettings atFirst() {
        HostAndPort first = addresses.getFirst();
        options.setHost(first.host()).setPort(first.port());
        return this;
    }

    /**
     * Reads user and password again. If a URL is no longer valid, its first value is used; a changed host needs a
     * restart.
     */
    private static UnaryOperator<PgConnectOptions> login(PostgresSettings.Connection connection) {
        return options -> {
            trusting(options, connection.sslRootCert());
            Secret url = connection.url();
            if (url != null && url.file().isPresent()) {
                try {
                    PgConnectOptions now = fromUrl(url.reveal()).options();
                    options.setUser(now.getUser()).setPassword(now.getPassword());
                } catch (IllegalArgumentException _) {
                    return options;
                }
            }
            if (connection.user() != null) {
                options.setUser(connection.user());
            }
            return connection.password() == null
                    ? options
                    : options.setPassword(connection.password().reveal());
        };
    }

    private static IllegalArgumentException notAUrl() {
        return new IllegalArgumentException(
                "connection.url is not a URL of the form postgres://user:password@host:5432/database");
    }

    private static PemTrustOptions trust(PemFile authority) {
        try {
            return PostgresUrl.trust(authority);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("connection.sslRootCert: " + e.getMessage(), e);
        }
    }

    /** The same options with the authority that the file names now. */
    private static PgConnectOptions trusting(PgConnectOptions options, @Nullable PemFile authority) {
        if (authority == null || options.getSslOptions() == null) {
            return options;
        }
        ClientSSLOptions ssl = options.getSslOptions().copy();
        ssl.setTrustOptions(trust(authority));
        options.setSslOptions(ssl);
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
        try {
            PostgresUrl.secure(options, connection.sslRootCert());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("connection.sslRootCert: " + e.getMessage(), e);
        }
    }
}
