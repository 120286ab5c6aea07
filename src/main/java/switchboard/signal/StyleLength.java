package switchboard.signal;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Lengths and numbers in values of styles. */
final class StyleLength {
    private static final double PIXELS_OF_EM = 16;
    /** A percentage is one of the page or the element, whose size is not known. */
    private static final double PIXELS_OF_PERCENT = 10;

    /** Parts of the window or of a container. */
    private static final Pattern OF_A_BOX = Pattern.compile("[sld]?v(?:w|h|i|b|min|max)|cq(?:w|h|i|b|min|max)");

    private StyleLength() {}

    /** A number such as {@code .5}, {@code -1} or {@code 20%}; empty for other texts. */
    static OptionalDouble number(String value) {
        return value.endsWith("%") ? plain(value.substring(0, value.length() - 1), 0.01) : plain(value, 1);
    }

    /** A length in pixels, about; a number without a unit is in pixels, too. Empty for other texts. */
    static OptionalDouble pixels(String value) {
        int unit = value.length();
        while (unit > 0 && (Character.isLetter(value.charAt(unit - 1)) || value.charAt(unit - 1) == '%')) {
            unit--;
        }
        double factor =
                switch (value.substring(unit)) {
                    case "", "px" -> 1;
                    case "pt" -> 4.0 / 3;
                    case "pc" -> PIXELS_OF_EM;
                    case "em", "rem", "ic", "lh", "rlh" -> PIXELS_OF_EM;
                    case "ex", "ch" -> PIXELS_OF_EM / 2;
                    case "%" -> PIXELS_OF_PERCENT;
                    case "in" -> 96;
                    case "cm" -> 37.8;
                    case "mm" -> 3.78;
                    case "q" -> 0.945;
                    default -> OF_A_BOX.matcher(value.substring(unit)).matches() ? PIXELS_OF_PERCENT : 0;
                };
        return factor == 0 ? OptionalDouble.empty() : plain(value.substring(0, unit), factor);
    }

    /** What is between the brackets of a function, such as {@code rect(0, 1px, 1px, 0)}; empty for other texts. */
    static List<String> arguments(String value) {
        int open = value.indexOf('(');
        int close = value.indexOf(')', Math.max(open, 0));
        return open < 0 || close < 0 ? List.of() : parts(value.substring(open + 1, close));
    }

    /** The parts between spaces, commas and slashes. */
    static List<String> parts(String value) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= value.length(); i++) {
            if (i == value.length() || " ,/".indexOf(value.charAt(i)) >= 0) {
                if (i > from) {
                    parts.add(value.substring(from, i));
                }
                from = i + 1;
            }
        }
        return parts;
    }

    private static OptionalDouble plain(String number, double factor) {
        boolean digits = false;
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            digits |= c >= '0' && c <= '9';
            boolean exponent = digits && (c == 'e' || c == 'E');
            if ((c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && !exponent) {
                return OptionalDouble.empty();
            }
        }
        try {
            return digits ? OptionalDouble.of(Double.parseDouble(number) * factor) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}
