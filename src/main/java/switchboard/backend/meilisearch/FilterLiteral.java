package switchboard.backend.meilisearch;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import switchboard.call.Binding;
import switchboard.call.Claim;

/**
 * Writes claims into a Meilisearch filter expression: a text in quotation marks, after {@code IN} a list of them. The
 * engine unescapes only quotation marks, so a value with a backslash can't be written, and is refused.
 */
record FilterLiteral(Binding binding) implements Binding.Literal {
    private static final Pattern IN = Pattern.compile("(^|[^\\p{L}\\p{N}_])IN\\s*$");
    private static final Pattern UNWRITABLE = Pattern.compile("[\\\\\\p{Cntrl}]");

    @Override
    public String of(Claim claim, String before) {
        if (before.endsWith("\"") || before.endsWith("'")) {
            throw binding.denied("has quotation marks around a placeholder; it must have none");
        }
        if (IN.matcher(before).find()) {
            return claim.texts().stream().map(this::quoted).collect(Collectors.joining(", ", "[", "]"));
        }
        if (claim.list()) {
            throw binding.denied("has a placeholder for a list that is not after IN");
        }
        return quoted(claim.texts().getFirst());
    }

    private String quoted(String text) {
        if (UNWRITABLE.matcher(text).find()) {
            throw binding.denied("can't be made with your claims, because one has a backslash or a control character");
        }
        return quotedText(text);
    }

    /** {@code text} in quotation marks. */
    static String quotedText(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
