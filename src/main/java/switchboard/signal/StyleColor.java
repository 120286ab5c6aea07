package switchboard.signal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A colour in a style.
 *
 * @param red 0 to 255, as the two others
 * @param opacity 0 to 1
 */
record StyleColor(int red, int green, int blue, double opacity) {
    private static final double LEAST_OPACITY = 0.05;
    /** All three differences together: less is not seen. */
    private static final int LEAST_DIFFERENCE = 16;

    private static final Map<String, Integer> NAMED = Map.ofEntries(
            Map.entry("white", 0xFFFFFF),
            Map.entry("snow", 0xFFFAFA),
            Map.entry("ivory", 0xFFFFF0),
            Map.entry("ghostwhite", 0xF8F8FF),
            Map.entry("floralwhite", 0xFFFAF0),
            Map.entry("whitesmoke", 0xF5F5F5),
            Map.entry("black", 0),
            Map.entry("gray", 0x808080),
            Map.entry("grey", 0x808080),
            Map.entry("silver", 0xC0C0C0),
            Map.entry("red", 0xFF0000),
            Map.entry("maroon", 0x800000),
            Map.entry("yellow", 0xFFFF00),
            Map.entry("olive", 0x808000),
            Map.entry("lime", 0x00FF00),
            Map.entry("green", 0x008000),
            Map.entry("aqua", 0x00FFFF),
            Map.entry("cyan", 0x00FFFF),
            Map.entry("teal", 0x008080),
            Map.entry("blue", 0x0000FF),
            Map.entry("navy", 0x000080),
            Map.entry("fuchsia", 0xFF00FF),
            Map.entry("magenta", 0xFF00FF),
            Map.entry("purple", 0x800080),
            Map.entry("orange", 0xFFA500),
            Map.entry("pink", 0xFFC0CB));

    /** The colour that {@code value} says; empty for {@code inherit}, names that are not known, and other texts. */
    static Optional<StyleColor> of(String value) {
        if (value.equals("transparent")) {
            return Optional.of(new StyleColor(0, 0, 0, 0));
        }
        if (value.startsWith("#")) {
            return hexadecimal(value.substring(1));
        }
        if (value.startsWith("rgb")) {
            return components(value);
        }
        if (value.startsWith("hsl")) {
            return light(value);
        }
        return Optional.ofNullable(NAMED.get(value)).map(StyleColor::opaque);
    }

    private static StyleColor opaque(int rgb) {
        return new StyleColor(rgb >> 16, (rgb >> 8) & 0xFF, rgb & 0xFF, 1);
    }

    boolean transparent() {
        return opacity < LEAST_OPACITY;
    }

    boolean white() {
        return !transparent() && looksLike(opaque(0xFFFFFF));
    }

    boolean looksLike(StyleColor other) {
        return Math.abs(red - other.red) + Math.abs(green - other.green) + Math.abs(blue - other.blue)
                < LEAST_DIFFERENCE;
    }

    private static Optional<StyleColor> hexadecimal(String digits) {
        int length = digits.length();
        boolean allDigits = digits.chars().allMatch(c -> Character.digit(c, 16) >= 0);
        if (!allDigits || (length != 3 && length != 4 && length != 6 && length != 8)) {
            return Optional.empty();
        }
        int size = length < 6 ? 1 : 2;
        int[] values = {0, 0, 0, 255};
        for (int i = 0; i < length / size; i++) {
            int value = Integer.parseInt(digits.substring(i * size, (i + 1) * size), 16);
            values[i] = size == 1 ? value * 17 : value;
        }
        return Optional.of(new StyleColor(values[0], values[1], values[2], values[3] / 255.0));
    }

    private static Optional<StyleColor> components(String value) {
        List<String> parts = StyleLength.arguments(value);
        if (parts.size() < 3) {
            return Optional.empty();
        }
        int[] values = new int[3];
        for (int i = 0; i < 3; i++) {
            OptionalDouble part = StyleLength.number(parts.get(i));
            if (part.isEmpty()) {
                return Optional.empty();
            }
            double whole = parts.get(i).endsWith("%") ? part.getAsDouble() * 255 : part.getAsDouble();
            values[i] = Math.clamp(Math.round(whole), 0, 255);
        }
        return Optional.of(new StyleColor(values[0], values[1], values[2], opacity(parts)));
    }

    /** Of those by hue only how light and how opaque they are: white, black, and what is not seen. */
    private static Optional<StyleColor> light(String value) {
        List<String> parts = StyleLength.arguments(value);
        if (parts.size() < 3) {
            return Optional.empty();
        }
        double said = StyleLength.number(parts.get(2)).orElse(0.5);
        double light = parts.get(2).endsWith("%") ? said : said / 100;
        double opacity = opacity(parts);
        boolean known = light >= 0.99 || light <= 0.01 || opacity < LEAST_OPACITY;
        int each = light >= 0.99 ? 255 : 0;
        return known ? Optional.of(new StyleColor(each, each, each, opacity)) : Optional.empty();
    }

    private static double opacity(List<String> parts) {
        return parts.size() < 4 ? 1 : StyleLength.number(parts.get(3)).orElse(1);
    }
}
