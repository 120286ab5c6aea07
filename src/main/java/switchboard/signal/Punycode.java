package switchboard.signal;

import java.util.Optional;

/** Decodes labels of hosts (RFC 3492). The JDK's decoder refuses letters that came after Unicode 3.2. */
final class Punycode {
    static final String PREFIX = "xn--";
    private static final int BASE = 36;
    private static final int LONGEST = 63;

    private Punycode() {}

    /** Whether {@code label} is encoded. */
    static boolean encoded(String label) {
        return label.startsWith(PREFIX);
    }

    /** What an encoded {@code label} stands for; empty if it is not valid. */
    static Optional<String> decode(String label) {
        if (label.length() > LONGEST) {
            return Optional.empty();
        }
        int delimiter = label.lastIndexOf('-');
        StringBuilder decoded =
                new StringBuilder(delimiter < PREFIX.length() ? "" : label.substring(PREFIX.length(), delimiter));
        int at = Math.max(PREFIX.length(), delimiter + 1);
        int codePoint = 128;
        int place = 0;
        int bias = 72;
        while (at < label.length()) {
            int before = place;
            int weight = 1;
            for (int k = BASE; ; k += BASE) {
                int digit = at < label.length() ? digit(label.charAt(at++)) : -1;
                if (digit < 0 || digit > (0x10FFFF - place) / weight) {
                    return Optional.empty();
                }
                place += digit * weight;
                int threshold = Math.clamp(k - bias, 1, 26);
                if (digit < threshold) {
                    break;
                }
                weight *= BASE - threshold;
            }
            int length = decoded.codePointCount(0, decoded.length()) + 1;
            bias = adapted(place - before, length, before == 0);
            codePoint += place / length;
            place %= length;
            if (codePoint > 0x10FFFF) {
                return Optional.empty();
            }
            decoded.insert(decoded.offsetByCodePoints(0, place), Character.toString(codePoint));
            place++;
        }
        return Optional.of(decoded.toString());
    }

    private static int digit(char c) {
        return c >= 'a' && c <= 'z' ? c - 'a' : c >= '0' && c <= '9' ? c - '0' + 26 : -1;
    }

    private static int adapted(int delta, int length, boolean first) {
        int value = first ? delta / 700 : delta / 2;
        value += value / length;
        int k = 0;
        while (value > 455) {
            value /= BASE - 1;
            k += BASE;
        }
        return k + (BASE * value) / (value + 38);
    }
}
