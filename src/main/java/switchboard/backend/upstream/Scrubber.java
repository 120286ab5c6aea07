package switchboard.backend.upstream;

import com.google.re2j.Pattern;
import java.util.Collection;
import java.util.List;
import switchboard.call.Secrets;
import switchboard.config.Secret;

/** Takes credentials and URLs out of text that an engine wrote, before anybody sees it. */
final class Scrubber {
    private static final Pattern URL = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://[^\\s\"'`<>()\\[\\]{}]+");

    private final List<Secret> headers;
    private volatile Known known;

    private record Known(List<String> values, Secrets secrets) {}

    Scrubber(Collection<Secret> headers) {
        this.headers = List.copyOf(headers);
        this.known = known();
    }

    /** Those in force and those before: an engine may still say them. */
    private Known known() {
        List<String> values =
                headers.stream().flatMap(header -> header.known().stream()).toList();
        return new Known(values, Secrets.of(values));
    }

    private Secrets secrets() {
        Known last = known;
        List<String> values =
                headers.stream().flatMap(header -> header.known().stream()).toList();
        if (!last.values().equals(values)) {
            last = known();
            known = last;
        }
        return last.secrets();
    }

    String scrub(String text) {
        return URL.matcher(secrets().scrub(text)).replaceAll("<url>");
    }
}
