package switchboard.fetch;

import com.google.re2j.Pattern;
import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses URLs as people and agents write them. */
public final class WebAddress {
    private static final int MAX_PORT = 65535;
    private static final Pattern HOST = Pattern.compile("[a-z0-9._-]+|\\[[0-9a-f:.]+(%25[a-z0-9._-]+)?]");

    /** Matches hosts that some programs read as an IP address (WHATWG URL, "ends in a number"), in any base. */
    private static final Pattern NUMERIC = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)\\.?");

    private static final Pattern FOUR_DECIMALS = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");

    private WebAddress() {}

    /**
     * The URI of {@code text}: scheme and host in lower case, international names in their ASCII form, other
     * characters percent-encoded, no fragment.
     *
     * @throws FetchException of reason {@link FetchException.Reason#BAD_URL}
     */
    public static URI parse(String text) {
        String url = text.strip();
        String lower = url.toLowerCase(Locale.ROOT);
        if (!lower.startsWith("http://") && !lower.startsWith("https://")) {
            throw bad("URL must start with http:// or https://");
        }
        return normal(decode(url), url);
    }

    /**
     * The target of a redirect.
     *
     * @throws FetchException if it is not an http or https URL
     */
    static URI redirect(URI from, @Nullable String location) {
        if (location == null || location.isBlank()) {
            throw new FetchException(
                    FetchException.Reason.NETWORK,
                    "Network error fetching '" + from + "': redirect without a location");
        }
        URI target = from.resolve(decode(location.strip()));
        String scheme = target.getScheme();
        if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
            throw new FetchException(
                    FetchException.Reason.REFUSED,
                    "Refused to fetch '" + from + "': it redirects to something other than http or https.");
        }
        return normal(target, location);
    }

    private static URI decode(String url) {
        try {
            return new URI(url.replace(" ", "%20"));
        } catch (URISyntaxException e) {
            throw bad("URL is not valid (" + e.getReason() + "): " + shortened(url));
        }
    }

    private static URI normal(URI uri, String written) {
        if (uri.getRawUserInfo() != null || (uri.getHost() == null && hasAt(uri))) {
            throw bad("URL must not carry a user name or password; fetch a page that needs none.");
        }
        HostPort target = target(uri, written);
        String path = path(uri);
        StringBuilder text = new StringBuilder(uri.getScheme().toLowerCase(Locale.ROOT));
        text.append("://").append(target.host());
        if (target.port() >= 0) {
            text.append(':').append(target.port());
        }
        text.append(path);
        if (uri.getRawQuery() != null) {
            text.append('?').append(uri.getRawQuery());
        }
        return URI.create(URI.create(text.toString()).toASCIIString());
    }

    /** The path without dot segments (RFC 3986 section 5.2.4; the JDK keeps leading ones). */
    private static String path(URI uri) {
        String path = uri.normalize().getRawPath();
        String rooted = path == null ? "" : path.replaceFirst("^(?:/\\.\\.)+(?=/|$)", "");
        return rooted.isEmpty() ? "/" : rooted;
    }

    private static boolean hasAt(URI uri) {
        return uri.getRawAuthority() != null && uri.getRawAuthority().indexOf('@') >= 0;
    }

    private record HostPort(String host, int port) {}

    /** Host and port. The JDK's URI does not support international host names: it reads them as an opaque authority. */
    private static HostPort target(URI uri, String written) {
        if (uri.getHost() != null) {
            return checked(new HostPort(uri.getHost().toLowerCase(Locale.ROOT), uri.getPort()), written);
        }
        String authority = uri.getRawAuthority();
        if (authority == null) {
            throw bad("URL has no host: " + shortened(written));
        }
        int colon = authority.lastIndexOf(':');
        String name = colon < 0 ? authority : authority.substring(0, colon);
        try {
            int port = colon < 0 ? -1 : Integer.parseInt(authority.substring(colon + 1));
            return checked(new HostPort(IDN.toASCII(name, IDN.ALLOW_UNASSIGNED), port), written);
        } catch (IllegalArgumentException e) {
            throw bad("URL has no valid host: " + shortened(written));
        }
    }

    private static HostPort checked(HostPort target, String written) {
        if (!HOST.matcher(target.host()).matches() || target.port() > MAX_PORT || target.port() == 0) {
            throw bad("URL has no valid host and port: " + shortened(written));
        }
        if (NUMERIC.matcher(target.host()).matches()
                && !FOUR_DECIMALS.matcher(target.host()).matches()) {
            throw new FetchException(
                    FetchException.Reason.REFUSED,
                    "Refused to fetch '" + shortened(written)
                            + "': not an address of the public Internet as it is written; write it as four decimal"
                            + " numbers. Private ones need the operator's fetch.allowPrivate.");
        }
        return target;
    }

    private static FetchException bad(String message) {
        return new FetchException(FetchException.Reason.BAD_URL, message);
    }

    private static String shortened(String url) {
        return url.length() <= 200 ? url : url.substring(0, 200) + "…";
    }
}
