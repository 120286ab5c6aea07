package switchboard.signal;

import java.util.Map;

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

    static String decoded(String value) {
        int next = value.indexOf('&');
        if (next < 0) {
            return value;
        }
        StringBuilder decoded = new StringBuilder();
        int from = 0;
        for (; next >= 0; next = value.indexOf('&', next + 1)) {
            int end = end(value, next);
            if (end >= 0) {
                String name = value.substring(next + 1, end);
                String character = name.startsWith("#") ? numbered(name) : NAMED.getOrDefault(name, "");
                if (!character.isEmpty()) {
                    decoded.append(value, from, next).append(character);
                    from = end + 1;
                }
            }
        }
        return decoded.append(value, from, value.length()).toString();
    }

    /** Where the reference at {@code at} has its semicolon; negative if it has none. */
    static int end(String text, int at) {
        return text.indexOf(';', at, Math.min(text.length(), at + LONGEST));
    }

    private static String numbered(String name) {
        boolean hexadecimal = name.length() > 1 && (name.charAt(1) | 0x20) == 'x';
        try {
            int c = hexadecimal ? Integer.parseInt(name.substring(2), 16) : Integer.parseInt(name.substring(1));
            return Character.isValidCodePoint(c) ? Character.toString(c) : "";
        } catch (NumberFormatException e) {
            return "";
        }
    }
}
