package switchboard.backend.agentroot.text;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Splits a name or a title into words, such as {@code order, service} of {@code OrderService}. */
public final class NameWords {
    private static final Pattern HUMP = Pattern.compile("(\\p{Ll})(\\p{Lu})");
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private NameWords() {}

    /** The words in lower case, in their order. */
    public static List<String> of(String text) {
        String parted = HUMP.matcher(text).replaceAll("$1 $2").toLowerCase(Locale.ROOT);
        return BETWEEN_WORDS
                .splitAsStream(parted)
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
