package switchboard.watch;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Where news may be sent to.
 *
 * @param hosts names, with a port if it is not 443
 * @param keys those that sign: the current one, and previous ones that were in use after an instant
 * @param allowPrivate whether addresses outside the public Internet may be reached, also without TLS
 */
public record WebhookRules(Set<String> hosts, Function<Instant, List<byte[]>> keys, boolean allowPrivate) {
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    public WebhookRules {
        hosts = Set.copyOf(hosts);
    }

    /** Whether the host of {@code url} is one of them. */
    public boolean allows(URI url) {
        String host = url.getHost();
        if (host == null) {
            return false;
        }
        String name = host.toLowerCase(Locale.ROOT);
        int port = url.getPort() >= 0 ? url.getPort() : "https".equals(url.getScheme()) ? HTTPS : HTTP;
        return hosts.contains(name + ":" + port) || (port == HTTPS && hosts.contains(name));
    }

    /** Whether {@code url} has a scheme that may be used. */
    public boolean secure(URI url) {
        return "https".equals(url.getScheme()) || allowPrivate;
    }

    /**
     * What is wrong with {@code url} as an address to send news to, and what to do.
     *
     * @param section the section of the configuration
     */
    public Optional<String> problem(String url, String section) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException _) {
            return Optional.of("webhook is not a valid URL; write it as https://hooks.example.com/path.");
        }
        String scheme = uri.getScheme();
        if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            return Optional.of("webhook must be of the form https://host/path, without a user and a fragment; write an"
                    + " international host name in its ASCII form (xn--...).");
        }
        if (!"https".equals(scheme) && !("http".equals(scheme) && allowPrivate)) {
            return Optional.of("webhook must begin with https://.");
        }
        return allows(uri)
                ? Optional.empty()
                : Optional.of(
                        "The host of webhook is not among those that may receive news of your team. Use another, or"
                                + " an operator adds " + uri.getRawAuthority() + " to " + section + ".hosts.");
    }

    /** Does not contain the keys. */
    @Override
    public String toString() {
        return "WebhookRules[hosts=" + hosts + "]";
    }
}
