package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.call.Citation;

/** Finds the citations that a call asks about. */
final class CitationFinder {
    /** What ends a citation: nothing else in a text looks so. */
    private static final Pattern END = Pattern.compile("·[\\s\\u00a0]{0,5}[0-9A-Za-z]{6,80}[\\s\\u00a0]{0,5}\\]");

    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private CitationFinder() {}

    /** A citation as it was given, and what it says. */
    record Given(String text, Citation.Parsed parsed) {}

    /** The citations of a call, each once and in order; {@code more} counts those behind the last. */
    record AllGiven(List<Given> citations, int more) {}

    /** A citation as it was given, not read yet. */
    private record Unread(String cite, @Nullable String sha256) {
        boolean whole() {
            return sha256 != null && SHA256.matcher(sha256).matches();
        }

        Given read() {
            Citation.Parsed parsed = Citation.parse(cite);
            if (!(parsed instanceof Citation.Parsed.Valid(Citation citation)) || sha256 == null) {
                return new Given(cite, parsed);
            }
            return new Given(
                    cite,
                    whole() && citation.names(sha256)
                            ? new Citation.Parsed.Valid(citation.hashed(sha256))
                            : new Citation.Parsed.Malformed(
                                    "sha256 must be 64 hexadecimal digits that begin with those of cite."));
        }
    }

    /** The first {@code most} citations in {@code text}, if there is one, and then of {@code refs}. A whole hash replaces a short one. */
    static AllGiven all(@Nullable String text, List<JsonNode> refs, int most) {
        Set<Unread> found = new LinkedHashSet<>();
        if (text != null) {
            find(text, found);
        }
        refs.forEach(ref -> found.add(unread(ref)));
        Set<String> whole =
                found.stream().filter(Unread::whole).map(Unread::cite).collect(Collectors.toSet());
        found.removeIf(one -> one.sha256() == null && whole.contains(one.cite()));
        return new AllGiven(found.stream().limit(most).map(Unread::read).toList(), Math.max(0, found.size() - most));
    }

    /** The citations in a text, in order; of brackets in brackets the inner ones. */
    private static void find(String text, Set<Unread> found) {
        Matcher end = END.matcher(text);
        int from = 0;
        while (end.find()) {
            // No unit is looked at for two ends, so that the time does not grow with their product.
            int start = opening(text, Math.max(from, end.end() - Citation.LONGEST), end.start());
            if (start >= 0) {
                found.add(new Unread(text.substring(start, end.end()), null));
            }
            from = end.end();
        }
    }

    /** Where the bracket opens that is not closed before {@code to}; negative if none does. */
    private static int opening(String text, int from, int to) {
        for (int i = to - 1; i >= from; i--) {
            if (text.charAt(i) == '[') {
                return i;
            }
            if (text.charAt(i) == ']') {
                return -1;
            }
        }
        return -1;
    }

    /** One that was given as text or as a whole ref. */
    static Given of(JsonNode given) {
        return unread(given).read();
    }

    private static Unread unread(JsonNode given) {
        return given.isTextual()
                ? new Unread(given.asText(), null)
                : new Unread(
                        given.path("cite").asText(),
                        given.hasNonNull("sha256")
                                ? given.path("sha256").asText().toLowerCase(Locale.ROOT)
                                : null);
    }
}
