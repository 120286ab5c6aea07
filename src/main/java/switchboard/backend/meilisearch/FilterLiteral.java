package switchboard.backend.meilisearch;

import java.text.Normalizer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import switchboard.call.Binding;
import switchboard.call.Claim;

/**
 * Writes claims into a Meilisearch filter expression: a text in quotation marks, after {@code IN} a list of them. The
 * engine unescapes only quotation marks, so a value with a backslash can't be written, and is refused. It compares texts without
 * white space at their ends, in small letters and in Unicode's compatible form, so a value that is another one there is refused,
 * except for capitals.
 */
record FilterLiteral(Binding binding) implements Binding.Literal {
    private static final Pattern IN = Pattern.compile("(^|[^\\p{L}\\p{N}_])IN\\s*$");
    private static final Pattern UNWRITABLE = Pattern.compile("[\\\\\\p{Cntrl}]");

    @Override
    public String of(Claim claim, String before) {
        if (inText(before)) {
            throw binding.denied("has a placeholder between quotation marks; it must be outside of them");
        }
        if (IN.matcher(before).find()) {
            return claim.texts().stream().map(this::quoted).collect(Collectors.joining(", ", "[", "]"));
        }
        if (claim.list()) {
            throw binding.denied("has a placeholder for a list that is not after IN");
        }
        return quoted(claim.texts().getFirst());
    }

    /** Whether a text in quotation marks is still open at the end of {@code before}. */
    private static boolean inText(String before) {
        char open = 0;
        for (int at = 0; at < before.length(); at++) {
            char now = before.charAt(at);
            if (open == 0) {
                open = now == '"' || now == '\'' ? now : 0;
            } else if (now == '\\') {
                at++;
            } else if (now == open) {
                open = 0;
            }
        }
        return open != 0;
    }

    private String quoted(String text) {
        if (UNWRITABLE.matcher(text).find()) {
            throw binding.denied("can't be made with your claims, because one has a backslash or a control character");
        }
        if (!Normalizer.normalize(text, Normalizer.Form.NFKC).strip().equals(text)) {
            throw binding.denied(
                    "can't be made with your claims, because Meilisearch would take one for another text: it has spaces"
                            + " at an end, or characters that Unicode has in a simpler form");
        }
        return quotedText(text);
    }

    /** {@code text} in quotation marks; one with a backslash is read back with two. */
    static String quotedText(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
