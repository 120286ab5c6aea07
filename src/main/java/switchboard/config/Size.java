package switchboard.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes. In the configuration a whole number with one of the units {@code B KiB MiB GiB TiB}.
 *
 * @param bytes not negative
 */
public record Size(long bytes) implements Comparable<Size> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})(B|KiB|MiB|GiB|TiB)");
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    public Size {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size is not negative: " + bytes);
        }
    }

    /**
     * Reads a size.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    public static Size parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("is not a size such as 4MiB (units B, KiB, MiB, GiB, TiB)");
        }
        long number = Long.parseLong(matcher.group(1));
        try {
            for (String unit : UNITS) {
                if (unit.equals(matcher.group(2))) {
                    break;
                }
                number = Math.multiplyExact(number, 1024L);
            }
        } catch (ArithmeticException _) {
            throw new IllegalArgumentException("is too large a size");
        }
        return new Size(number);
    }

    /** {@code mebibytes} MiB. */
    public static Size ofMiB(long mebibytes) {
        return new Size(Math.multiplyExact(mebibytes, 1024L * 1024L));
    }

    /** The bytes as an {@code int}; {@link Integer#MAX_VALUE} if there are more. */
    public int toInt() {
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    @Override
    public int compareTo(Size other) {
        return Long.compare(bytes, other.bytes);
    }

    /** The size as in the configuration, in the largest unit without a remainder. */
    @Override
    public String toString() {
        long number = bytes;
        int unit = 0;
        while (unit < UNITS.length - 1 && number > 0 && number % 1024 == 0) {
            number /= 1024;
            unit++;
        }
        return number + UNITS[unit];
    }
}
