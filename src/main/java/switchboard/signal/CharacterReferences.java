package switchboard.signal;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes references such as {@code &#58;} and {@code &colon;} in values of attributes. */
final class CharacterReferences {
    private static final int LONGEST = 10;
    /** Those that a style or an address may be hidden with. */
    private static final Map<String, String> NAMED = Map.ofEntries(
            Map.entry("amp", "&"),
            Map.entry("lt", "<"),
            Map.entry("gt", ">"),
            Map.entry("quot", "\""),
            Map.entry("apos", "'"),
            Map.entry("colon", ":"),
            Map.entry("semi", ";"),
            Map.entry("sol", "/"),
            Map.entry("period", "."),
            Map.entry("num", "#"),
            Map.entry("lpar", "("),
            Map.entry("rpar", ")"),
            Map.entry("comma", ","),
            Map.entry("commat", "@"),
            Map.entry("Tab", " "),
            Map.entry("NewLine", " "),
            Map.entry("nbsp", " "));

    private CharacterReferences() {}

    /**
     * A reference in a text.
     *
     * @param character what it stands for; a space for one whose name is not known
     * @param end behind it
     * @param known whether its name is known
     */
    record Reference(int character, int end, boolean known) {}

    /** The text with the characters that its references stand for. */
    static String decoded(String value) {
        int next = value.indexOf('&');
        if (next < 0) {
            return value;
        }
        StringBuilder decoded = new StringBuilder();
        int from = 0;
        while (next >= 0) {
            Reference reference = at(value, next);
            if (reference != null && reference.known()) {
                decoded.append(value, from, next).appendCodePoint(reference.character());
                from = reference.end();
            }
            next = value.indexOf('&', Math.max(from, next + 1));
        }
        return decoded.append(value, from, value.length()).toString();
    }

    /** The reference that begins at {@code at}; null if there is none. */
    static @Nullable Reference at(String text, int at) {
        if (text.startsWith("#", at + 1)) {
            return numbered(text, at);
        }
        int end = text.indexOf(';', at, Math.min(text.length(), at + LONGEST));
        if (end < 0) {
            return null;
        }
        String character = NAMED.getOrDefault(text.substring(at + 1, end), "");
        return character.isEmpty()
                ? new Reference(' ', end + 1, false)
                : new Reference(character.codePointAt(0), end + 1, true);
    }

    /** One with a number, which may lack its semicolon and may have zeros before it. */
    private static @Nullable Reference numbered(String text, int at) {
        boolean hexadecimal = text.regionMatches(true, at + 2, "x", 0, 1);
        int radix = hexadecimal ? 16 : 10;
        int from = at + (hexadecimal ? 3 : 2);
        int end = from;
        int number = 0;
        while (end < text.length() && text.charAt(end) < 0x80 && Character.digit(text.charAt(end), radix) >= 0) {
            number = Math.min(Character.MAX_CODE_POINT + 1, number * radix + Character.digit(text.charAt(end), radix));
            end++;
        }
        if (end == from || !Character.isValidCodePoint(number)) {
            return null;
        }
        return new Reference(number, text.startsWith(";", end) ? end + 1 : end, true);
    }
}
