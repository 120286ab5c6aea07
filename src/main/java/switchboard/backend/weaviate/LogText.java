package switchboard.backend.weaviate;

import java.util.regex.Pattern;

/** Removes parts of a log's text that must not be shown. */
final class LogText {
    private static final Pattern CREDENTIALS = Pattern.compile(
            "(?i)(\\b(?:authorization|api[-_]?key|x-[a-z-]*-api-key)\\b\\W{1,8}(?:bearer\\s+|basic\\s+)?|\\bbearer\\s+)[^\\s\"',}\\]]+");
    private static final Pattern VECTORS =
            Pattern.compile("\\[\\s*-?\\d[\\d.eE+-]*(?:[,\\s]+-?\\d[\\d.eE+-]*){7,}\\s*]");

    private LogText() {}

    /** {@code text} without credentials and vectors. */
    static String shown(String text) {
        return VECTORS.matcher(CREDENTIALS.matcher(text).replaceAll("$1******")).replaceAll("[…]");
    }
}
