package switchboard.signal;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds elements of HTML that hide a text, and comments that tell an assistant what to do. It reads a text once: an element
 * within a hidden one belongs to it. For one text.
 */
final class HiddenElements {
    private static final int LEAST_WORDS = 3;
    /** Headings and buttons in white have a few words, on a colour that is set elsewhere. */
    private static final int LEAST_WHITE_WORDS = 6;

    /** From here on (Thai) are the scripts without spaces: so many letters are about a word. */
    private static final char SPACELESS = '\u0E00';

    private static final int LONG_WORD = 6;

    private static final String COMMENT = "<!--";

    /** Elements that never have text. */
    private static final Set<String> EMPTY = Set.of(
            "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
            "wbr");

    /** Their text is none for people. */
    private static final Set<String> CODE = Set.of("script", "style", "template", "iframe", "noembed", "noframes");

    /** The one of them whose text has tags. */
    private static final String TEMPLATE = "template";

    /** Others with such a name may be placeholders, such as (<default hidden>). */
    private static final Set<String> KNOWN = Set.of(
            "a",
            "abbr",
            "address",
            "article",
            "aside",
            "audio",
            "b",
            "bdi",
            "bdo",
            "blockquote",
            "body",
            "button",
            "canvas",
            "caption",
            "center",
            "cite",
            "code",
            "data",
            "dd",
            "del",
            "details",
            "dfn",
            "dialog",
            "div",
            "dl",
            "dt",
            "em",
            "fieldset",
            "figcaption",
            "figure",
            "font",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hgroup",
            "html",
            "i",
            "ins",
            "kbd",
            "label",
            "legend",
            "li",
            "main",
            "map",
            "mark",
            "menu",
            "meter",
            "nav",
            "noscript",
            "ol",
            "output",
            "p",
            "picture",
            "pre",
            "progress",
            "q",
            "s",
            "samp",
            "search",
            "section",
            "select",
            "small",
            "span",
            "strike",
            "strong",
            "sub",
            "summary",
            "sup",
            "svg",
            "table",
            "tbody",
            "td",
            "textarea",
            "tfoot",
            "th",
            "thead",
            "time",
            "tr",
            "tt",
            "u",
            "ul",
            "var",
            "video");

    private final String text;
    private final HtmlTags tags;
    private final SignalCounter found;
    /** The elements that hide and may still be open: not shown, white, and of a name that is not known. */
    private final @Nullable OpenElement[] open = new OpenElement[3];

    private final OpenContainers containers = new OpenContainers();

    private @Nullable String code;

    /** Where the last closing tag of each kind of code is. */
    private final Map<String, Integer> lastEnds = new HashMap<>();

    private boolean commentsEnd = true;
    private boolean inWord;
    private int run;
    private int words;
    private long looked;

    private HiddenElements(String text, SignalCounter found) {
        this.text = text;
        this.tags = new HtmlTags(text);
        this.found = found;
    }

    /** Returns how many characters were looked at for that; what was looked at twice counts twice. */
    static long find(String text, SignalCounter found) {
        HiddenElements elements = new HiddenElements(text, found);
        int at = 0;
        while (at >= 0 && at < text.length()) {
            int next;
            if (text.charAt(at) == '<') {
                next = elements.markup(at);
            } else if (elements.anyOpen()) {
                next = elements.letter(at);
            } else {
                next = text.indexOf('<', at);
            }
            elements.looked += (next < 0 ? text.length() : next) - at;
            at = next;
        }
        return elements.looked;
    }

    private boolean anyOpen() {
        return open[0] != null || open[1] != null || open[2] != null;
    }

    /** Reads a character of a text; returns where to go on. */
    private int letter(int at) {
        int c = text.codePointAt(at);
        int next = at + Character.charCount(c);
        if (c == '&') {
            CharacterReferences.Reference reference = CharacterReferences.at(text, at);
            if (reference != null) {
                c = reference.character();
                next = reference.end();
            }
        }
        if (!UnseenCharacters.mark(c) && !UnseenCharacters.ignorable(c)) { // these end no word
            word(c);
        }
        return next;
    }

    private void word(int c) {
        boolean letter = Character.isLetterOrDigit(c);
        run = inWord ? run + 1 : 0;
        boolean begins = !inWord || Character.isIdeographic(c) || (c >= SPACELESS && run % LONG_WORD == 0);
        if (letter && code == null && begins) {
            words++;
            check();
        }
        inWord = letter;
    }

    /** Marks what has enough words. */
    private void check() {
        for (int i = 0; i < open.length; i++) {
            OpenElement one = open[i];
            if (one != null && !one.marking().mustEnd() && one.hasEnough(words)) {
                found.add(SignalKind.HIDDEN_TEXT, one.start(), one.end());
                open[i] = null;
            }
        }
    }

    private int markup(int at) {
        if (code != null && !code.equals(TEMPLATE) && !endsCode(code, at)) {
            looked++;
            return at + 1;
        }
        if (text.startsWith(COMMENT, at)) {
            return comment(at);
        }
        HtmlTag tag = tags.read(at);
        inWord = false;
        if (tag == null) {
            looked += HtmlTag.named(text, at) ? text.length() - at : 1;
            return at + 1;
        }
        if (tag.closing()) {
            closed(tag.name());
        } else {
            opened(tag, at);
        }
        return tag.end();
    }

    /** Returns where the comment at {@code start} ends; behind its beginning if it has no end. */
    private int comment(int start) {
        int from = start + COMMENT.length();
        if (!commentsEnd) {
            return from;
        }
        int end = commentEnd(from);
        looked += (end < 0 ? text.length() : end) - start;
        commentsEnd = end >= 0;
        String comment = text.substring(from, end < 0 ? text.length() : end);
        if (InstructionPhrases.in(comment)) {
            found.add(SignalKind.HIDDEN_TEXT, start, end < 0 ? text.length() : end);
        }
        return end < 0 ? from : end;
    }

    /** Behind the end of the comment whose text begins at {@code from}; negative if there is none. */
    private int commentEnd(int from) {
        if (text.startsWith(">", from) || text.startsWith("->", from)) {
            return text.indexOf('>', from) + 1;
        }
        for (int i = text.indexOf("--", from); i >= 0; i = text.indexOf("--", i + 1)) {
            if (text.startsWith(">", i + 2) || text.startsWith("!>", i + 2)) {
                return text.indexOf('>', i) + 1;
            }
        }
        return -1;
    }

    private void opened(HtmlTag tag, int start) {
        String name = tag.name();
        for (int i = 0; i < open.length; i++) {
            OpenElement one = open[i];
            open[i] = one == null ? null : one.opened(name);
        }
        int level = containers.level();
        if (OpenElement.CONTAINERS.contains(name)) {
            containers.opened(name);
        }
        if (EMPTY.contains(name)) {
            return;
        }
        if (CODE.contains(name)) {
            code = code == null && ends(name, tag.end()) ? name : code;
            return;
        }
        HidingStyle.Visibility visibility = HidingStyle.of(tag);
        if (visibility == HidingStyle.Visibility.SHOWN) {
            return;
        }
        boolean known = KNOWN.contains(name) || name.indexOf('-') > 0;
        boolean white = visibility == HidingStyle.Visibility.WHITE;
        int place = !known ? 2 : white ? 1 : 0;
        if (open[place] == null) {
            var marking = new OpenElement.Marking(white ? LEAST_WHITE_WORDS : LEAST_WORDS, !known);
            open[place] = OpenElement.of(tag, start, words, marking, level);
        }
    }

    /** Whether the closing tag of {@code name} begins at {@code at}. */
    private boolean endsCode(String name, int at) {
        int end = at + 2 + name.length();
        return text.startsWith("</", at)
                && text.regionMatches(true, at + 2, name, 0, name.length())
                && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
    }

    /** Whether there is a closing tag behind {@code from}: others only name the element. */
    private boolean ends(String name, int from) {
        return lastEnds.computeIfAbsent(name, this::lastEnd) >= from;
    }

    private int lastEnd(String name) {
        String end = "</" + name;
        int at = text.length() - end.length();
        while (at >= 0 && !text.regionMatches(true, at, end, 0, end.length())) {
            at--;
        }
        looked += text.length() - Math.max(at, 0);
        return at;
    }

    private void closed(String name) {
        if (name.equals(code)) {
            code = null;
        }
        int remaining = Integer.MAX_VALUE;
        if (OpenElement.CONTAINERS.contains(name)) {
            remaining = containers.closed(name);
            if (remaining == OpenContainers.NONE) {
                return;
            }
        }
        for (int i = 0; i < open.length; i++) {
            OpenElement one = open[i];
            OpenElement after = one == null || one.closedWith(remaining) ? null : one.closed(name);
            if (one != null && after == null && one.marking().mustEnd() && one.hasEnough(words)) {
                found.add(SignalKind.HIDDEN_TEXT, one.start(), one.end());
            }
            open[i] = after;
        }
    }
}
