package switchboard.signal;

import java.util.Locale;
import java.util.Set;

/** What the style and the attributes of an element hide. */
final class HidingStyle {
    private static final String[] HIDING = {
        "display:none",
        "visibility:hidden",
        "text-indent:-9",
        "left:-9",
        "top:-9",
        "clip:rect(0",
        "font-size:1px",
        "transform:scale(0)"
    };
    private static final String[] ZERO = {"font-size:0", "opacity:0", "line-height:0", "max-height:0"};
    private static final String[] WHITE = {"white", "#fff", "#ffffff", "rgb(255,255,255)"};

    /** Elements with texts. In others that look like them, such as (<default hidden>), the word is no attribute. */
    private static final Set<String> ELEMENTS = Set.of(
            "a", "article", "aside", "b", "div", "em", "footer", "h1", "h2", "h3", "h4", "header", "i", "li", "main",
            "ol", "p", "pre", "section", "small", "span", "strong", "table", "td", "th", "tr", "ul");

    private HidingStyle() {}

    /**
     * How many words the element must have to hide a text; 0 if it hides nothing.
     *
     * @param words for an element that is not shown
     * @param whiteWords for one in white, on a background that it does not say
     */
    static int least(String tag, int words, int whiteWords) {
        if (hiddenAttribute(tag)) {
            return words;
        }
        String style = style(tag);
        if (style.isEmpty()) {
            return 0;
        }
        if (hides(style)) {
            return words;
        }
        String color = value(style, "color:");
        String background = value(style, "background-color:") + value(style, "background:");
        if (color.isEmpty()) {
            return 0;
        }
        if (color.equals("transparent") || color.equals(background) || (white(color) && white(background))) {
            return words;
        }
        return white(color) && !style.contains("background") ? whiteWords : 0;
    }

    private static boolean hides(String style) {
        for (String hiding : HIDING) {
            if (style.contains(hiding)) {
                return true;
            }
        }
        for (String zero : ZERO) {
            int at = style.indexOf(zero);
            if (at >= 0 && !fraction(style, at + zero.length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the number goes on, as in 0.9em. */
    private static boolean fraction(String style, int at) {
        return at < style.length() && (style.charAt(at) == '.' || Character.isDigit(style.charAt(at)));
    }

    private static boolean white(String color) {
        for (String white : WHITE) {
            if (white.equals(color)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hiddenAttribute(String tag) {
        if (!ELEMENTS.contains(name(tag))) {
            return false;
        }
        boolean quoted = false;
        int read = 0;
        for (int at = tag.indexOf(" hidden"); at >= 0; at = tag.indexOf(" hidden", at + 1)) {
            char after = tag.charAt(at + " hidden".length());
            for (; read < at; read++) {
                quoted ^= tag.charAt(read) == '"';
            }
            if (!quoted && (after == '>' || after == ' ' || after == '=')) {
                return true;
            }
        }
        return false;
    }

    private static String name(String tag) {
        int end = 1;
        while (end < tag.length() && Character.isLetterOrDigit(tag.charAt(end))) {
            end++;
        }
        return tag.substring(1, end).toLowerCase(Locale.ROOT);
    }

    /** The style in lower case and without white space; empty if there is none. */
    private static String style(String tag) {
        String lower = tag.toLowerCase(Locale.ROOT);
        int at = lower.indexOf("style=");
        if (at < 0 || at + 7 >= lower.length()) {
            return "";
        }
        char quote = lower.charAt(at + 6);
        int end = lower.indexOf(quote == '"' || quote == '\'' ? quote : '>', at + 7);
        StringBuilder style = new StringBuilder();
        lower.substring(at + 6, end < 0 ? lower.length() : end)
                .chars()
                .filter(c -> !Character.isWhitespace(c) && c != '"' && c != '\'')
                .forEach(c -> style.append((char) c));
        return style.toString();
    }

    /** The value of a property, which begins the style or follows another one; empty if it is not there. */
    private static String value(String style, String property) {
        int at = style.indexOf(property);
        while (at > 0 && style.charAt(at - 1) != ';') {
            at = style.indexOf(property, at + 1);
        }
        if (at < 0) {
            return "";
        }
        int end = style.indexOf(';', at);
        return style.substring(at + property.length(), end < 0 ? style.length() : end)
                .replace("!important", "");
    }
}
