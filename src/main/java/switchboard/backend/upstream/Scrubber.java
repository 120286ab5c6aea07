package switchboard.backend.upstream;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Takes credentials and URLs out of text that an engine wrote, before anybody sees it. */
final class Scrubber {
    /** Shorter values would turn up in innocent words. */
    private static final int SHORTEST = 6;

    private static final Pattern URL = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://[^\\s\"'`<>()\\[\\]{}]+");

    private final List<String> secrets;

    Scrubber(Collection<String> headerValues) {
        List<String> values = new ArrayList<>();
        for (String value : headerValues) {
            values.add(value);
            values.add(value.substring(value.indexOf(' ') + 1));
        }
        this.secrets = values.stream()
                .filter(value -> value.length() >= SHORTEST)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    String scrub(String text) {
        String clean = text;
        for (String secret : secrets) {
            clean = clean.replace(secret, "***");
        }
        return URL.matcher(clean).replaceAll("<url>");
    }
}
