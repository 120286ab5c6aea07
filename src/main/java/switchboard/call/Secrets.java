package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Removes configured secrets from texts of engines and other servers: as they are, JSON-escaped, URL-encoded,
 * hexadecimal, and in base64 (both alphabets, also inside longer texts). Takes time linear in the text. Values of
 * fewer than six characters are not removed, because they would occur in harmless words. Immutable.
 */
public final class Secrets {
    /** No secrets. */
    public static final Secrets NONE = new Secrets(Set.of());

    private static final int SHORTEST = 6;
    /** Maximum number of nested encodings. */
    private static final int DEEPEST = 3;

    private static final String MASK = "***";

    private final Set<String> values;
    private final MultiPatternMatcher multiPatternMatcher;

    private Secrets(Set<String> values) {
        this.values = Set.copyOf(values);
        this.multiPatternMatcher = new MultiPatternMatcher(values);
    }

    /** These values and, if they are values of an {@code Authorization} header, the credentials in them. */
    public static Secrets of(Collection<String> values) {
        Set<String> all = new LinkedHashSet<>();
        for (String value : values) {
            all.add(value);
            all.add(value.strip());
            String credential = value.strip().substring(value.strip().indexOf(' ') + 1);
            all.add(credential);
            if (value.toLowerCase(Locale.ROOT).startsWith("basic ")) {
                String pair = decoded(credential);
                all.add(pair);
                all.add(pair.substring(pair.indexOf(':') + 1));
            }
        }
        all.removeIf(value -> value.length() < SHORTEST);
        return all.isEmpty() ? NONE : new Secrets(all);
    }

    /** These secrets and {@code more}. */
    public Secrets and(Collection<String> more) {
        List<String> all = new ArrayList<>(values);
        all.addAll(more);
        return of(all);
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return "";
        }
    }

    /** {@code text} with secrets replaced by {@code ***}; in base64 by as many letters, so that it stays base64. */
    public String scrub(String text) {
        if (values.isEmpty() || text.length() < SHORTEST) {
            return text;
        }
        BitSet hidden = new BitSet();
        BitSet plain = new BitSet();
        find(DecodedText.of(text), 0, hidden, plain);
        return hidden.isEmpty() ? text : masked(text, hidden, plain);
    }

    private void find(DecodedText view, int depth, BitSet hidden, BitSet plain) {
        multiPatternMatcher.find(view.text(), (from, to, base64) -> {
            int start = view.start(from);
            int end = view.end(to);
            hidden.set(start, end);
            if (!base64) {
                plain.set(start, end);
            }
        });
        if (depth < DEEPEST) {
            if (view.text().indexOf('\\') >= 0) {
                find(view.unescaped(), depth + 1, hidden, plain);
            }
            if (view.text().indexOf('%') >= 0) {
                find(view.percentDecoded(), depth + 1, hidden, plain);
            }
        }
    }

    private static String masked(String text, BitSet hidden, BitSet plain) {
        StringBuilder clean = new StringBuilder(text.length());
        int at = 0;
        for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(at)) {
            clean.append(text, at, from);
            at = Math.min(hidden.nextClearBit(from), text.length());
            int said = plain.nextSetBit(from);
            clean.append(said >= 0 && said < at ? MASK : "x".repeat(at - from));
        }
        return clean.append(text, at, text.length()).toString();
    }

    /** A copy of {@code node} without secrets, also in names and numbers; the same object if there are none. */
    public JsonNode scrub(JsonNode node) {
        if (values.isEmpty()) {
            return node;
        }
        return switch (node) {
            case ObjectNode object -> scrub(object);
            case ArrayNode array -> {
                ArrayNode copy = Json.array();
                array.forEach(element -> copy.add(scrub(element)));
                yield copy;
            }
            default -> {
                String text = node.isTextual() || node.isNumber() ? node.asText() : "";
                String clean = scrub(text);
                yield clean.equals(text) ? node : TextNode.valueOf(clean);
            }
        };
    }

    /** The same for an object. */
    public ObjectNode scrub(ObjectNode object) {
        if (values.isEmpty()) {
            return object;
        }
        ObjectNode copy = Json.object();
        object.properties().forEach(field -> copy.set(scrub(field.getKey()), scrub(field.getValue())));
        return copy;
    }

    /** Contains only their number. */
    @Override
    public String toString() {
        return "Secrets[" + values.size() + "]";
    }

    /**
     * A decoded text.
     *
     * @param at for each character the start of its encoded form in the original text, and at the end where the last
     *     one ends
     */
    private record DecodedText(String text, int[] at) {
        static DecodedText of(String text) {
            return new DecodedText(text, new int[0]);
        }

        int start(int index) {
            return at.length == 0 ? index : at[index];
        }

        /** The end of the character before {@code index}. */
        int end(int index) {
            return at.length == 0 ? index : at[index];
        }

        DecodedText unescaped() {
            Builder view = new Builder(text.length());
            int i = 0;
            while (i < text.length()) {
                char c = text.charAt(i);
                int length = c != '\\' || i + 1 == text.length() ? 1 : text.charAt(i + 1) == 'u' ? 6 : 2;
                int code = length == 6 ? hex(i + 2, 4) : -1;
                if (length == 6 && code < 0) {
                    length = 2;
                }
                view.add(length == 1 ? c : length == 6 ? (char) code : meant(text.charAt(i + 1)), start(i));
                i += length;
            }
            return view.view(start(text.length()));
        }

        private static char meant(char escaped) {
            return switch (escaped) {
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'b' -> '\b';
                case 'f' -> '\f';
                default -> escaped;
            };
        }

        /** URL-decodes it, as UTF-8 with one character per byte. */
        DecodedText percentDecoded() {
            Builder view = new Builder(text.length());
            int i = 0;
            while (i < text.length()) {
                char c = text.charAt(i);
                int code = c == '%' ? hex(i + 1, 2) : -1;
                if (code >= 0) {
                    view.add((char) code, start(i));
                    i += 3;
                } else {
                    int length = Character.isHighSurrogate(c) && i + 1 < text.length() ? 2 : 1;
                    for (byte b : text.substring(i, i + length).getBytes(StandardCharsets.UTF_8)) {
                        view.add((char) (b & 0xFF), start(i));
                    }
                    i += length;
                }
            }
            return view.view(start(text.length()));
        }

        private int hex(int from, int digits) {
            int value = 0;
            for (int i = from; i < from + digits; i++) {
                int digit = i < text.length() ? Character.digit(text.charAt(i), 16) : -1;
                if (digit < 0) {
                    return -1;
                }
                value = value * 16 + digit;
            }
            return value;
        }
    }

    private static final class Builder {
        private final StringBuilder text;
        private int[] at;

        Builder(int length) {
            this.text = new StringBuilder(length);
            this.at = new int[length + 1];
        }

        void add(char c, int start) {
            if (text.length() + 1 >= at.length) {
                at = Arrays.copyOf(at, at.length * 2 + 1);
            }
            at[text.length()] = start;
            text.append(c);
        }

        DecodedText view(int end) {
            at[text.length()] = end;
            return new DecodedText(text.toString(), at);
        }
    }
}
