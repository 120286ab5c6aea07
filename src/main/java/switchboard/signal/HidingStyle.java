package switchboard.signal;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/** What the style and the attributes of an element hide. */
final class HidingStyle {
    /** How much of the text of an element people see. */
    enum Visibility {
        /** As far as the element says, all. */
        SHOWN,
        /** It is white, on a background that it does not say. */
        WHITE,
        /** Nothing. */
        HIDDEN
    }

    private static final double LEAST_OPACITY = 0.05;
    private static final double LEAST_FONT_PIXELS = 1.5;
    private static final double LEAST_PIXELS = 0.1;
    private static final double LEAST_WEIGHT = 100;
    /** From here on nothing is within a page; indents and overlaps are smaller. */
    private static final double OUTSIDE_PIXELS = 900;
    /** To the right and below, pages may be large. */
    private static final double FAR_OUTSIDE_PIXELS = 5_000;

    private static final List<String> BEFORE_OR_BEHIND =
            List.of("left", "right", "margin-left", "margin-right", "text-indent", "inset-inline-start");
    private static final List<String> ABOVE_OR_BELOW =
            List.of("top", "bottom", "margin-top", "margin-bottom", "inset-block-start");
    /** Their content makes cells and tables as large as it needs. */
    private static final Set<String> GROWING =
            Set.of("table", "td", "th", "tr", "tbody", "thead", "tfoot", "col", "colgroup");

    private static final Set<String> NO_COLORS =
            Set.of("inherit", "initial", "unset", "revert", "currentcolor", "auto", "none");

    private HidingStyle() {}

    /** What an opening {@code tag} says of its text. */
    static Visibility of(HtmlTag tag) {
        if (tag.attributes().isEmpty()) {
            return Visibility.SHOWN;
        }
        // A value in braces is one that a program finds out.
        if (tag.attributes().containsKey("hidden") && !tag.value("hidden").startsWith("{")) {
            return Visibility.HIDDEN;
        }
        StyleDeclarations style = new StyleDeclarations(tag.value("style"));
        if (notShown(style) || small(style, tag.name()) || outside(style) || clipped(style)) {
            return Visibility.HIDDEN;
        }
        return colored(tag, style);
    }

    private static boolean notShown(StyleDeclarations style) {
        OptionalDouble opacity = StyleLength.number(style.value("opacity"));
        String visibility = style.value("visibility");
        String filter = style.value("filter");
        return style.value("display").equals("none")
                || visibility.equals("hidden")
                || visibility.equals("collapse")
                || style.value("content-visibility").equals("hidden")
                || opacity.orElse(1) < LEAST_OPACITY
                || (filter.startsWith("opacity(")
                        && StyleLength.number(filter.substring(8)
                                                .replace(")", "")
                                                .strip())
                                        .orElse(1)
                                < LEAST_OPACITY);
    }

    private static boolean small(StyleDeclarations style, String element) {
        if (StyleLength.pixels(style.value("font-size")).orElse(LEAST_FONT_PIXELS) < LEAST_FONT_PIXELS
                || fontOfNoSize(style.value("font"))) {
            return true;
        }
        if (style.value("overflow").equals("visible") || GROWING.contains(element)) {
            return false;
        }
        // With a padding below it is a frame for what keeps its proportions.
        boolean noHeight = nothing(style, "height") && !style.has("padding-bottom") && !style.has("min-height");
        boolean noWidth = nothing(style, "width") && !style.has("min-width");
        return noHeight
                || noWidth
                || nothing(style, "max-height")
                || nothing(style, "max-width")
                || nothing(style, "line-height");
    }

    private static boolean nothing(StyleDeclarations style, String property) {
        double pixels = StyleLength.pixels(style.value(property)).orElse(1);
        return pixels >= 0 && pixels < LEAST_PIXELS;
    }

    /** As in {@code font: 0/0 a}; weights are numbers, too. */
    private static boolean fontOfNoSize(String font) {
        return StyleLength.parts(font).stream()
                .map(StyleLength::pixels)
                .flatMapToDouble(OptionalDouble::stream)
                .filter(size -> size < LEAST_WEIGHT)
                .limit(1)
                .anyMatch(size -> size < LEAST_FONT_PIXELS);
    }

    private static boolean outside(StyleDeclarations style) {
        for (String property : BEFORE_OR_BEHIND) {
            if (outside(style.value(property), property.startsWith("margin"), FAR_OUTSIDE_PIXELS)) {
                return true;
            }
        }
        for (String property : ABOVE_OR_BELOW) {
            if (outside(style.value(property), property.startsWith("margin"), Double.MAX_VALUE)) {
                return true;
            }
        }
        return transformed(style);
    }

    /** Whether a length is outside of the page; layouts have elements beside themselves by 100%. */
    private static boolean outside(String length, boolean besideItself, double most) {
        if (length.isEmpty()) {
            return false;
        }
        double pixels = StyleLength.pixels(length).orElse(0);
        double outside = besideItself && length.endsWith("%") ? 2 * OUTSIDE_PIXELS : OUTSIDE_PIXELS;
        return pixels <= -outside || pixels >= most;
    }

    private static boolean transformed(StyleDeclarations style) {
        String transform = style.value("transform");
        List<String> arguments = StyleLength.arguments(transform);
        return (transform.startsWith("translate")
                        && arguments.stream().anyMatch(one -> outside(one, true, FAR_OUTSIDE_PIXELS)))
                || (transform.startsWith("scale")
                        && arguments.stream()
                                .anyMatch(one -> StyleLength.number(one).orElse(1) == 0))
                || StyleLength.number(style.value("scale")).orElse(1) == 0;
    }

    /** Whether nothing is left of it between four sides, or within a shape. */
    private static boolean clipped(StyleDeclarations style) {
        List<Double> sides = StyleLength.arguments(style.value("clip")).stream()
                .map(StyleLength::pixels)
                .flatMap(side -> side.stream().boxed())
                .toList();
        if (sides.size() == 4 && (sides.get(2) - sides.get(0) <= 1 || sides.get(1) - sides.get(3) <= 1)) {
            return true;
        }
        String path = style.value("clip-path");
        String first = StyleLength.arguments(path).stream().findFirst().orElse("");
        return (path.startsWith("inset(")
                        && first.endsWith("%")
                        && StyleLength.number(first).orElse(0) >= 0.5)
                || (path.startsWith("circle(") && StyleLength.pixels(first).orElse(1) == 0);
    }

    private static Visibility colored(HtmlTag tag, StyleDeclarations style) {
        String written = written(tag, style);
        if (written.isEmpty() || pictured(style)) {
            return Visibility.SHOWN;
        }
        Optional<StyleColor> color = StyleColor.of(written);
        Optional<StyleColor> background = background(tag, style).filter(one -> !one.transparent());
        if (color.isEmpty()) {
            return sameName(written, style) ? Visibility.HIDDEN : Visibility.SHOWN;
        }
        if (color.get().transparent()
                || background.filter(color.get()::looksLike).isPresent()) {
            return Visibility.HIDDEN;
        }
        boolean anywhere = background(tag, style).map(StyleColor::transparent).orElse(!style.has("background"));
        return color.get().white() && background.isEmpty() && anywhere ? Visibility.WHITE : Visibility.SHOWN;
    }

    private static String written(HtmlTag tag, StyleDeclarations style) {
        String fill = style.value("-webkit-text-fill-color");
        String color = fill.isEmpty() ? style.value("color") : fill;
        boolean font = color.isEmpty() && tag.name().equals("font");
        return font ? tag.value("color").strip().toLowerCase(Locale.ROOT) : color;
    }

    /** Whether its background is a picture, or it is the colour of its letters. */
    private static boolean pictured(StyleDeclarations style) {
        String background = style.value("background");
        return background.contains("url(")
                || background.contains("gradient(")
                || style.has("background-image")
                || style.has("background-clip")
                || style.has("-webkit-background-clip");
    }

    /** Whether the background has the same name of a colour, which is not known here. */
    private static boolean sameName(String color, StyleDeclarations style) {
        boolean name = color.chars().allMatch(Character::isLetter) && !NO_COLORS.contains(color);
        return name && (color.equals(style.value("background-color")) || color.equals(style.value("background")));
    }

    private static Optional<StyleColor> background(HtmlTag tag, StyleDeclarations style) {
        String all = style.value("background");
        return Stream.of(
                        Stream.of(style.value("background-color"), all),
                        all.contains("(") ? Stream.<String>empty() : StyleLength.parts(all).stream(),
                        Stream.of(tag.value("bgcolor").strip().toLowerCase(Locale.ROOT)))
                .flatMap(values -> values)
                .map(StyleColor::of)
                .flatMap(Optional::stream)
                .findFirst();
    }
}
