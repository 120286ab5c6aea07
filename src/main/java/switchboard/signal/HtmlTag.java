package switchboard.signal;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tag of HTML.
 *
 * @param name in lower case
 * @param closing whether it ends an element
 * @param end where it ends: behind its {@code >}, or at the next tag if it lacks that
 * @param attributes values by name in lower case, of those that say what is seen; of two with the same name the first
 */
record HtmlTag(String name, boolean closing, int end, Map<String, String> attributes) {
    /** A value without an end mark within this is not one in quotes. */
    static final int LONGEST_VALUE = 2_000;

    /** Attributes that say something of what is seen; others are left out. */
    private static final Set<String> KNOWN = Set.of("hidden", "style", "color", "bgcolor", "href");

    HtmlTag {
        attributes = Map.copyOf(attributes);
    }

    /** The tag that begins at {@code start}; null if there is none. */
    static @Nullable HtmlTag read(String text, int start) {
        return new TagReader(text, start).tag();
    }

    /** Whether a tag, a comment or a declaration may begin at {@code at}. */
    static boolean begins(String text, int at) {
        if (at + 1 >= text.length() || text.charAt(at) != '<') {
            return false;
        }
        char next = text.charAt(at + 1);
        return letter(next) || next == '/' || next == '!' || next == '?';
    }

    /** Whether what begins at {@code at} has a name. */
    static boolean named(String text, int at) {
        int name = text.startsWith("</", at) ? at + 2 : at + 1;
        return name < text.length() && letter(text.charAt(name));
    }

    private static boolean letter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /** The value of an attribute; empty if it has none, or is not there. */
    String value(String attribute) {
        return attributes.getOrDefault(attribute, "");
    }

    /** Reads one tag. */
    private static final class TagReader {
        private final String text;
        private final Map<String, String> attributes = new HashMap<>();
        private int at;

        TagReader(String text, int start) {
            this.text = text;
            this.at = start;
        }

        @Nullable
        HtmlTag tag() {
            if (!named(text, at)) {
                return null;
            }
            boolean closing = text.charAt(at + 1) == '/';
            at += closing ? 2 : 1;
            String name = name();
            while (at < text.length()) {
                char c = text.charAt(at);
                if (c == '>') {
                    return new HtmlTag(name, closing, at + 1, attributes);
                }
                if (begins(text, at)) {
                    return new HtmlTag(name, closing, at, attributes);
                }
                if (Character.isWhitespace(c) || c == '/') {
                    at++;
                } else {
                    attribute();
                }
            }
            return null;
        }

        /** Reads at least one character. */
        private String name() {
            int from = at++;
            while (at < text.length() && !endsName(text.charAt(at)) && !begins(text, at)) {
                at++;
            }
            return text.substring(from, at).toLowerCase(Locale.ROOT);
        }

        private static boolean endsName(char c) {
            return Character.isWhitespace(c) || c == '/' || c == '>' || c == '=';
        }

        private void attribute() {
            String name = name();
            whitespace();
            String value = "";
            if (at < text.length() && text.charAt(at) == '=') {
                at++;
                whitespace();
                value = value();
            }
            if (KNOWN.contains(name)) {
                attributes.putIfAbsent(name, value);
            }
        }

        private void whitespace() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private String value() {
            int from = at;
            char quote = at < text.length() ? text.charAt(at) : ' ';
            if (quote == '"' || quote == '\'') {
                int limit = Math.min(text.length(), at + LONGEST_VALUE);
                int close = text.indexOf(quote, at + 1, limit);
                // Formats that have HTML in them end it at an empty line.
                if (close >= 0 && text.indexOf("\n\n", at, close) < 0) {
                    at = close + 1;
                    return CharacterReferences.decoded(text.substring(from + 1, close));
                }
            }
            while (at < text.length()
                    && text.charAt(at) != '>'
                    && !Character.isWhitespace(text.charAt(at))
                    && !begins(text, at)) {
                at++;
            }
            return CharacterReferences.decoded(text.substring(from, at));
        }
    }
}
