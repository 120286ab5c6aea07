package switchboard.signal;

/**
 * Finds links with a text, {@code [text](target)} of Markdown and {@code <a href="target">text</a>} of HTML, in one pass: texts of
 * Markdown may have brackets in them, and those of HTML other tags.
 */
final class LinkTexts {
    private static final int LONGEST_TEXT = 300;
    private static final int LONGEST_MARKUP = 1_000;
    private static final int LONGEST_TARGET = 2_000;
    private static final int MOST_OPEN = 32;

    private final String text;
    private final HtmlTags tags;
    private final Links links;
    /** Where brackets were opened that may still be closed; the last ones of them. */
    private final int[] open = new int[MOST_OPEN];

    private int opened;

    /** Is told of links. */
    interface Links {
        /**
         * Takes a link.
         *
         * @param shown its text, as long as it may be that of an address
         * @param target its target, or as much of it as has the host
         * @return whether it is looked for where the link ends
         */
        boolean leadsElsewhere(String shown, String target);

        /** Takes the place of a link that {@link #leadsElsewhere}. */
        void found(int start, int end);
    }

    private LinkTexts(String text, Links links) {
        this.text = text;
        this.tags = new HtmlTags(text);
        this.links = links;
    }

    static void find(String text, Links links) {
        if (text.indexOf('<') < 0 && text.indexOf('[') < 0) {
            return; // A link begins with one of these. Looking for a character takes far less time than a pass.
        }
        LinkTexts texts = new LinkTexts(text, links);
        int i = 0;
        while (i < text.length()) {
            i = Math.max(i + 1, texts.next(i));
        }
    }

    private int next(int at) {
        switch (text.charAt(at)) {
            case '[' -> open[opened++ % MOST_OPEN] = at;
            case ']' -> {
                return closed(at);
            }
            case '\\' -> {
                return at + 2;
            }
            case '\n' -> opened = text.startsWith("\n", at + 1) ? 0 : opened;
            case '<' -> {
                return anchor(at);
            }
            default -> {}
        }
        return at + 1;
    }

    private int closed(int at) {
        if (opened == 0) {
            return at + 1;
        }
        int start = open[--opened % MOST_OPEN];
        boolean image = start > 0 && text.charAt(start - 1) == '!';
        if (image || !text.startsWith("(", at + 1) || at - start > LONGEST_MARKUP || start >= at) {
            return at + 1;
        }
        int from = spaces(at + 2);
        String target = text.substring(from, Math.min(text.length(), from + LONGEST_TEXT));
        boolean enclosed = target.startsWith("<");
        if (!links.leadsElsewhere(shown(start + 1, at), enclosed ? target.substring(1) : target)) {
            return at + 1;
        }
        int end = targetEnd(from);
        links.found(start, end);
        return end;
    }

    private int spaces(int from) {
        int i = from;
        while (i < text.length() && i < from + LONGEST_TEXT && Character.isWhitespace(text.charAt(i))) {
            i++;
        }
        return i;
    }

    /** Behind the bracket that closes the target; where that ends if there is none. */
    private int targetEnd(int from) {
        int limit = Math.min(text.length(), from + LONGEST_TARGET);
        int depth = 0;
        for (int i = from; i < limit; i++) {
            char c = text.charAt(i);
            if (c == ')' && depth-- == 0) {
                return i + 1;
            }
            depth += c == '(' ? 1 : 0;
            if (c == '\n') {
                return i;
            }
        }
        return limit;
    }

    /** A link of HTML. */
    private int anchor(int at) {
        HtmlTag tag = text.regionMatches(true, at, "<a", 0, 2) ? tags.read(at) : null;
        if (tag == null || !tag.name().equals("a") || tag.value("href").isEmpty()) {
            return at + 1;
        }
        int limit = Math.min(text.length(), tag.end() + LONGEST_MARKUP);
        int end = anchorEnd(tag.end(), limit);
        if (end < text.length() && links.leadsElsewhere(shown(tag.end(), end), tag.value("href"))) {
            links.found(at, end);
        }
        return tag.end();
    }

    /** Where the next anchor begins, or this one ends; {@code limit} if that is not before. */
    private int anchorEnd(int from, int limit) {
        int i = from;
        while (i < limit) {
            HtmlTag other = HtmlTag.begins(text, i) ? tags.read(i) : null;
            if (other != null && other.name().equals("a")) {
                return i;
            }
            i = other == null ? i + 1 : other.end();
        }
        return Math.min(i, limit);
    }

    /** What people see from {@code from} to {@code end}: without tags, comments, and targets of images. */
    private String shown(int from, int end) {
        StringBuilder shown = new StringBuilder();
        int i = from;
        while (i < end && shown.length() < LONGEST_TEXT) {
            int next = unseenEnd(i, end);
            if (next == i) {
                shown.append(text.charAt(i));
            }
            i = Math.max(next, i + 1);
        }
        return CharacterReferences.decoded(shown.toString());
    }

    /** Where the tag, the comment or the target ends that begins at {@code at}; {@code at} if there is none. */
    private int unseenEnd(int at, int limit) {
        if (text.startsWith("](", at)) {
            int close = text.indexOf(')', at, limit);
            return close < 0 ? limit : close + 1;
        }
        if (text.startsWith("<!--", at)) {
            int close = text.indexOf("-->", at, limit);
            return close < 0 ? limit : close + 3;
        }
        HtmlTag tag = HtmlTag.begins(text, at) ? tags.read(at) : null;
        return tag == null ? at : tag.end();
    }
}
