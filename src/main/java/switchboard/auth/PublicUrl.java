package switchboard.auth;

import java.net.URI;
import java.util.Locale;

/**
 * The URL of the gateway as callers see it: {@code server.publicUrl}, with or without {@code /mcp} at its end.
 *
 * @param origin scheme, host and port, normalized
 * @param prefix the path before {@code /mcp} that a proxy adds; usually empty
 */
public record PublicUrl(String origin, String prefix) {
    private static final String ENDPOINT = "/mcp";

    /** The public URL {@code url}, an absolute URL of HTTP without user, query and fragment. */
    public static PublicUrl of(URI url) {
        String path = pathOf(url);
        return new PublicUrl(
                originOf(url), path.endsWith(ENDPOINT) ? path.substring(0, path.length() - ENDPOINT.length()) : path);
    }

    /** The path of a view's endpoint; {@code view} is empty for the default one. */
    public String path(String view) {
        return prefix + ENDPOINT + (view.isEmpty() ? "" : "/" + view);
    }

    /**
     * Normalizes a URL (RFC 3986 section 6.2): scheme and host in lower case, no default port, no slashes at the end. Another
     * text stays as it is, and so does a URL with a user, a query or a fragment.
     */
    static String normalized(String text) {
        URI url;
        try {
            url = URI.create(text);
        } catch (IllegalArgumentException _) {
            return text;
        }
        boolean plain = url.getScheme() != null
                && url.getHost() != null
                && url.getRawUserInfo() == null
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
        return plain ? originOf(url) + pathOf(url) : text;
    }

    /** Scheme, host and port of {@code url}, which has a scheme and a host: both in lower case, no default port. */
    static String originOf(URI url) {
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        boolean usual = url.getPort() < 0 || url.getPort() == (scheme.equals("https") ? 443 : 80);
        return scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + (usual ? "" : ":" + url.getPort());
    }

    private static String pathOf(URI url) {
        String path = url.getRawPath();
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }
}
