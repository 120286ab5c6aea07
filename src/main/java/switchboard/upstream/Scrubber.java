package switchboard.upstream;

import com.google.re2j.Pattern;
import java.util.Collection;
import switchboard.config.Secret;

/** Removes credentials and URLs from texts of an engine. */
final class Scrubber {
    private static final Pattern URL = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://[^\\s\"'`<>()\\[\\]{}]+");

    private final LiveSecrets secrets;

    Scrubber(Collection<Secret> headers) {
        this.secrets = new LiveSecrets(headers);
    }

    String scrub(String text) {
        return URL.matcher(secrets.current().scrub(text)).replaceAll("<url>");
    }
}
