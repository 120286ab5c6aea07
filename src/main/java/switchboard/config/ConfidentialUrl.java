package switchboard.config;

import java.net.URI;

/** URLs that secrets may be sent to, and that a person may be sent to: https, or http to this machine. */
public final class ConfidentialUrl {
    private ConfidentialUrl() {}

    /** Whether {@code url} is one: absolute, with a host and without a user. */
    public static boolean is(URI url) {
        if (url.getScheme() == null || url.getHost() == null || url.getRawUserInfo() != null) {
            return false;
        }
        return url.getScheme().equalsIgnoreCase("https")
                || (url.getScheme().equalsIgnoreCase("http") && ConfigChecks.isLoopback(url.getHost()));
    }
}
