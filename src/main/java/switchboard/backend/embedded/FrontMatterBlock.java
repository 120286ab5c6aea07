package switchboard.backend.embedded;

import java.util.Optional;

/**
 * Where the front matter of a text is: YAML between two lines {@code ---}, of which the second may be {@code ...}. Only a byte
 * order mark and blank lines may precede it. Lines end with a line feed, a carriage return, or both.
 *
 * @param body start of the YAML
 * @param close start of the line below it
 * @param end start of the text below that line
 */
public record FrontMatterBlock(int body, int close, int end) {
    /** Maximum length of the YAML, in UTF-16 units. */
    public static final int MAX_LENGTH = PermissionYaml.MAX_LENGTH;

    static final String FENCE = "---";

    /** The front matter of {@code text}; empty if there is none, it has no end, or it is too long. */
    public static Optional<FrontMatterBlock> of(String text) {
        int open = start(text);
        if (!line(text, open).equals(FENCE)) {
            return Optional.empty();
        }
        int body = after(text, open);
        int close = close(text, body, FENCE);
        return close < 0 || close - body > MAX_LENGTH
                ? Optional.empty()
                : Optional.of(new FrontMatterBlock(body, close, after(text, close)));
    }

    /** Where the first line begins that is not blank, behind a byte order mark. */
    static int start(String text) {
        int at = text.startsWith("\uFEFF") ? 1 : 0;
        while (at < text.length() && line(text, at).isBlank()) {
            at = after(text, at);
        }
        return at;
    }

    /** Where the line begins that closes what {@code fence} opens above {@code body}; -1 if there is none. */
    static int close(String text, int body, String fence) {
        for (int at = body; at < text.length(); at = after(text, at)) {
            String line = line(text, at);
            if (line.equals(fence) || (fence.equals(FENCE) && line.equals("..."))) {
                return at;
            }
        }
        return -1;
    }

    /** The line that begins at {@code at}, without space at its end. */
    static String line(String text, int at) {
        return text.substring(at, lineEnd(text, at)).stripTrailing();
    }

    /** Where the line begins that follows the one at {@code at}. */
    static int after(String text, int at) {
        int end = lineEnd(text, at);
        if (end == text.length()) {
            return end;
        }
        return text.startsWith("\r\n", end) ? end + 2 : end + 1;
    }

    private static int lineEnd(String text, int at) {
        int end = at;
        while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return end;
    }
}
