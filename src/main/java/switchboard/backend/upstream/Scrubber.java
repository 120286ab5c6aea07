package switchboard.backend.upstream;

import com.google.re2j.Pattern;
import java.util.Collection;
import switchboard.call.Secrets;

/** Takes credentials and URLs out of text that an engine wrote, before anybody sees it. */
final class Scrubber {
    private static final Pattern URL = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://[^\\s\"'`<>()\\[\\]{}]+");

    private final Secrets secrets;

    Scrubber(Collection<String> headerValues) {
        this.secrets = Secrets.of(headerValues);
    }

    String scrub(String text) {
        return URL.matcher(secrets.scrub(text)).replaceAll("<url>");
    }
}
