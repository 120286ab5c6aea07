package switchboard.auth;

import java.net.URI;
import java.util.Locale;

/**
 * The URL under which callers reach the gateway. Different spellings of a URL are equal (RFC 3986, section 6.2).
 *
 * @param origin scheme, host and port; the usual port is left out
 * @param prefix the path before {@code /mcp}, which a proxy adds; usually empty
 */
public record PublicUrl(String origin, String prefix) {
    private static final String ENDPOINT = "/mcp";

    /** The gateway at {@code url}, which may end with {@code /mcp} or before it. It has a scheme and a host. */
    public static PublicUrl of(URI url) {
        String path = withoutSlashes(url);
        return new PublicUrl(
                origin(url), path.endsWith(ENDPOINT) ? path.substring(0, path.length() - ENDPOINT.length()) : path);
    }

    /** The path of the endpoint of {@code view}, with the prefix. */
    public String path(String view) {
        return prefix + ENDPOINT + (view.isEmpty() ? "" : "/" + view);
    }

    /** {@code url} in the spelling of this type; unchanged if it is not a URL of a server, or has more than a path. */
    static String normalized(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException _) {
            return url;
        }
        boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
        return plain && uri.getScheme() != null && uri.getHost() != null ? origin(uri) + withoutSlashes(uri) : url;
    }

    private static String origin(URI uri) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean usual = uri.getPort() < 0 || uri.getPort() == (scheme.equals("https") ? 443 : 80);
        return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + (usual ? "" : ":" + uri.getPort());
    }

    private static String withoutSlashes(URI uri) {
        String path = uri.getRawPath();
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }
}
