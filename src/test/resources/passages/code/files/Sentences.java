package switchboard.backend.agentroot.text;

import java.nio.charset.StandardCharsets;

/** The first sentence of a text. */
public final class Sentences {
    private static final int MAX_BYTES = 200;

    private Sentences() {}

    /** Up to the first full stop before white space, else the first line; cut with dots after 200 bytes of UTF-8. */
    public static String first(String text) {
        String stripped = text.strip();
        int end = stripped.length();
        for (int at = 0; at < stripped.length(); at++) {
            boolean stop = stripped.charAt(at) == '.'
                    && at + 1 < stripped.length()
                    && Character.isWhitespace(stripped.charAt(at + 1));
            if (stop || stripped.charAt(at) == '\n') {
                end = stop ? at + 1 : at;
                break;
            }
        }
        return cut(stripped.substring(0, end));
    }

    private static String cut(String sentence) {
        if (sentence.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
            return sentence;
        }
        int bytes = 0;
        int at = 0;
        while (at < sentence.length()) {
            int point = sentence.codePointAt(at);
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes > MAX_BYTES) {
                break;
            }
            at += Character.charCount(point);
        }
        return sentence.substring(0, at) + "...";
    }
}
