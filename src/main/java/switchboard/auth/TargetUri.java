package switchboard.auth;

import java.net.URI;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Target URIs of HTTP requests in the form in which they are compared. */
final class TargetUri {
    private static final String UNRESERVED = "-._~";

    private TargetUri() {}

    /**
     * Normalizes {@code text} by its syntax and its scheme (RFC 3986 sections 6.2.2 and 6.2.3): scheme and host in lower case,
     * no default port, no escapes that need not be, no dot segments, a path at least {@code /}. A slash at the end stays.
     *
     * @return empty if it is not an absolute URL of HTTP, or has a user, a query or a fragment
     */
    static Optional<String> normalized(String text) {
        try {
            URI url = new URI(text);
            boolean plain = ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null;
            return plain
                    ? Optional.of(PublicUrl.originOf(url) + withoutDots(withFewEscapes(url.getRawPath())))
                    : Optional.empty();
        } catch (java.net.URISyntaxException _) {
            return Optional.empty();
        }
    }

    private static String withFewEscapes(String path) {
        StringBuilder changed = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) != '%') {
                changed.append(path.charAt(i));
                continue;
            }
            char meant = (char) HexFormat.fromHexDigits(path, i + 1, i + 3);
            if (isUnreserved(meant)) {
                changed.append(meant);
            } else {
                changed.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) meant));
            }
            i += 2;
        }
        return changed.toString();
    }

    private static boolean isUnreserved(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
    }

    /** RFC 3986 section 5.2.4. */
    private static String withoutDots(String path) {
        List<String> kept = new ArrayList<>();
        String[] segments = path.split("/", -1); // the first one, before the first slash, is empty
        for (int i = 1; i < segments.length; i++) {
            boolean dots = segments[i].equals(".") || segments[i].equals("..");
            if (segments[i].equals("..") && !kept.isEmpty()) {
                kept.removeLast();
            }
            if (!dots) {
                kept.add(segments[i]);
            } else if (i == segments.length - 1) {
                kept.add("");
            }
        }
        return "/" + String.join("/", kept);
    }
}
