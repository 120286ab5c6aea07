package switchboard.signal;

import org.jspecify.annotations.Nullable;

/**
 * Reads the tags of a text. What looks like the beginning of a tag and never ends costs the rest of the text each time, so only a few such
 * ends are looked for: browsers show nothing behind the first one. Not thread-safe.
 */
final class HtmlTags {
    /** How many times the length of the text may be read in vain. */
    private static final int MOST_IN_VAIN = 8;

    private final String text;
    private long inVain;

    HtmlTags(String text) {
        this.text = text;
    }

    /** The tag that begins at {@code at}; null if there is none. */
    @Nullable
    HtmlTag read(int at) {
        if (inVain > (long) MOST_IN_VAIN * text.length()) {
            return null;
        }
        HtmlTag tag = HtmlTag.read(text, at);
        if (tag == null && HtmlTag.named(text, at)) {
            inVain += text.length() - at;
        }
        return tag;
    }
}
