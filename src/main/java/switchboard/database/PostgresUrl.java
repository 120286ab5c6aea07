package switchboard.database;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import switchboard.config.PemFile;

/**
 * A URL in libpq's format, possibly with several hosts.
 *
 * @param options for the first host
 * @param addresses at least one, in the order of attempts
 */
public record PostgresUrl(PgConnectOptions options, List<HostAndPort> addresses) {
    private static final Pattern URL = Pattern.compile("(postgres(?:ql)?://(?:[^@/?]*@)?)([^/?]*)(.*)", Pattern.DOTALL);

    public PostgresUrl {
        addresses = List.copyOf(addresses);
    }

    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException without a message if it is not valid, because a message could contain a password
     */
    public static PostgresUrl of(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException();
        }
        String hosts = parts.group(2);
        String first = hosts.split(",", 2)[0];
        PgConnectOptions options;
        List<HostAndPort> addresses;
        try {
            options = PgConnectOptions.fromUri(parts.group(1) + first + parts.group(3));
            addresses = hosts.contains(",")
                    ? HostAndPort.list(hosts, options.getPort())
                    : List.of(new HostAndPort(options.getHost(), options.getPort()));
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException();
        }
        return new PostgresUrl(options, addresses);
    }

    /**
     * Sets the parameters that a connection starts with. Only those that PgBouncer lets through: it refuses extra_float_digits,
     * which the client would send.
     */
    public static void startup(PgConnectOptions options) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("application_name", "switchboard");
        parameters.put("client_encoding", "utf8");
        parameters.put("DateStyle", "ISO");
        options.setProperties(parameters);
    }

    /**
     * Prepares TLS, as the mode in {@code options} demands.
     *
     * @param authority the only authority that is trusted, or null for those that this Java trusts
     * @throws IllegalArgumentException with a message for the operator, if the authority's file can't be used
     */
    public static void secure(PgConnectOptions options, @Nullable PemFile authority) {
        if (options.getSslMode() == SslMode.DISABLE || options.getSslMode() == SslMode.ALLOW) {
            return;
        }
        ClientSSLOptions ssl = new ClientSSLOptions();
        if (authority != null) {
            ssl.setTrustOptions(trust(authority));
        } else if (options.getSslMode() == SslMode.VERIFY_CA || options.getSslMode() == SslMode.VERIFY_FULL) {
            ssl.setTrustOptions(publicAuthorities());
        } else {
            ssl.setTrustAll(true);
        }
        ssl.setHostnameVerificationAlgorithm(options.getSslMode() == SslMode.VERIFY_FULL ? "HTTPS" : "");
        options.setSslOptions(ssl);
    }

    /** The authority in {@code authority}, as it is now. */
    public static PemTrustOptions trust(PemFile authority) {
        return new PemTrustOptions().addCertValue(Buffer.buffer(authority.text()));
    }

    /** The authorities that this Java trusts. */
    private static TrustOptions publicAuthorities() {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init((@Nullable KeyStore) null);
            return TrustOptions.wrap(trust.getTrustManagers()[0]);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK trusts no certificate authorities", e);
        }
    }
}
