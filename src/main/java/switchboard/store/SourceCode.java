package switchboard.store;

import java.util.List;

/** Tells source code from prose by the signs in it, whatever the programming language. */
final class SourceCode {
    /**
     * The least share of signs among the characters that are not spaces. Of passages of prose 0.5 % have more, of documentation with
     * examples 5 %, of source code 88 %.
     */
    private static final double LEAST_SIGNS = 0.04;

    private SourceCode() {}

    /** Whether these texts, taken together, are source code. */
    static boolean is(List<String> texts) {
        long characters = 0;
        long signs = 0;
        for (String text : texts) {
            for (int at = 0; at < text.length(); at++) {
                char c = text.charAt(at);
                characters += Character.isWhitespace(c) ? 0 : 1;
                signs += sign(c) ? 1 : 0;
            }
        }
        return characters > 0 && signs >= LEAST_SIGNS * characters;
    }

    private static boolean sign(char c) {
        return switch (c) {
            case '{', '}', '(', ')', '[', ']', ';', '=', '<', '>', '_' -> true;
            default -> false;
        };
    }
}
