package switchboard.signal;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The declarations of a {@code style} attribute: values by property, in lower case and with single spaces. */
final class StyleDeclarations {
    private static final String IMPORTANT = "!important";

    private final Map<String, String> values = new HashMap<>();

    /** Reads a style; what is no declaration is left out. */
    StyleDeclarations(String style) {
        String plain = plain(style);
        Map<String, Boolean> important = new HashMap<>();
        int from = 0;
        while (from < plain.length()) {
            int end = end(plain, from);
            int colon = plain.indexOf(':', from, end);
            if (colon > 0) {
                String property = plain.substring(from, colon).strip();
                String value =
                        plain.substring(colon + 1, end).replace("! ", "!").strip();
                boolean stronger = value.endsWith(IMPORTANT);
                // Of two of the same strength the last one counts.
                if (stronger || !important.getOrDefault(property, false)) {
                    important.put(property, stronger);
                    values.put(
                            property,
                            stronger
                                    ? value.substring(0, value.length() - IMPORTANT.length())
                                            .strip()
                                    : value);
                }
            }
            from = end + 1;
        }
    }

    /** The value of {@code property}; empty if the style does not have it. */
    String value(String property) {
        return values.getOrDefault(property, "");
    }

    /** Whether one of the properties begins with {@code prefix}. */
    boolean has(String prefix) {
        return values.keySet().stream().anyMatch(property -> property.startsWith(prefix));
    }

    /** Where the declaration ends that begins at {@code from}: a semicolon within brackets or quotes does not end it. */
    private static int end(String style, int from) {
        int depth = 0;
        char quote = 0;
        for (int i = from; i < style.length(); i++) {
            char c = style.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (c == ';' && depth <= 0) {
                return i;
            }
        }
        return style.length();
    }

    /** In lower case, without comments and escapes, with single spaces. */
    private static String plain(String style) {
        String lower = style.toLowerCase(Locale.ROOT);
        StringBuilder plain = new StringBuilder(lower.length());
        for (int i = 0; i < lower.length(); i++) {
            char c = lower.charAt(i);
            if (c == '/' && lower.startsWith("/*", i)) {
                int close = lower.indexOf("*/", i + 2);
                i = close < 0 ? lower.length() : close + 1;
            } else if (c == '\\') {
                i = escaped(lower, i + 1, plain) - 1;
            } else if (!Character.isWhitespace(c)) {
                plain.append(c);
            } else if (!plain.isEmpty() && plain.charAt(plain.length() - 1) != ' ') {
                plain.append(' ');
            }
        }
        return plain.toString();
    }

    /** Adds what the escape stands for whose digits begin at {@code from}; returns where it ends. */
    private static int escaped(String style, int from, StringBuilder plain) {
        int end = from;
        while (end < style.length() && end < from + 6 && Character.digit(style.charAt(end), 16) >= 0) {
            end++;
        }
        if (end == from) {
            return from;
        }
        int c = Integer.parseInt(style.substring(from, end), 16);
        plain.append(Character.isValidCodePoint(c) ? Character.toString(Character.toLowerCase(c)) : "");
        return end < style.length() && Character.isWhitespace(style.charAt(end)) ? end + 1 : end;
    }
}
