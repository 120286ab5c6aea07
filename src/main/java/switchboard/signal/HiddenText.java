package switchboard.signal;

/**
 * Finds text that people do not see: in an element whose style or attribute hides it, in white on white, in comments that tell
 * an assistant what to do, and in tag characters.
 */
final class HiddenText {
    private static final int LONGEST_TEXT = 400;
    /** A caption in white has a few words, on a colour that is set elsewhere. */
    private static final int LEAST_WHITE_WORDS = 6;

    private static final int LEAST_TAGS = 4;
    private static final String[] WHITE_IN_LATEX = {"\\color{white}", "\\textcolor{white}{"};
    private static final String[] MARKDOWN_COMMENTS = {"[//]: #", "[comment]: #", "[//]: <>", "[comment]: <>"};

    private HiddenText() {}

    static void find(String text, SignalCounter found) {
        HiddenElements.find(text, found);
        if (text.indexOf('[') < 0 && text.indexOf('\\') < 0 && text.indexOf('\uDB40') < 0) {
            return; // what else hides a text begins with one of these
        }
        int i = 0;
        while (i < text.length()) {
            int end =
                    switch (text.charAt(i)) {
                        case '[' -> markdownComment(text, i, found);
                        case '\\' -> latex(text, i, found);
                        case '\uDB40' -> tags(text, i, found);
                        default -> i;
                    };
            i = Math.max(end, i + 1);
        }
    }

    private static int markdownComment(String text, int start, SignalCounter found) {
        for (String comment : MARKDOWN_COMMENTS) {
            if (text.startsWith(comment, start)) {
                int line = text.indexOf('\n', start);
                int end = line < 0 ? text.length() : line;
                if (InstructionPhrases.in(text.substring(start + comment.length(), end))) {
                    found.add(SignalKind.HIDDEN_TEXT, start, end);
                }
                return end;
            }
        }
        return start;
    }

    private static int latex(String text, int start, SignalCounter found) {
        for (String white : WHITE_IN_LATEX) {
            int end = start + white.length();
            if (text.startsWith(white, start) && words(text, end, '}') >= LEAST_WHITE_WORDS) {
                found.add(SignalKind.HIDDEN_TEXT, start, end);
                return end;
            }
        }
        return start;
    }

    /** Letters as tag characters, except in the flags of regions. */
    private static int tags(String text, int start, SignalCounter found) {
        int i = start;
        int letters = 0;
        while (i + 1 < text.length() && InvisibleCharacters.tag(text.codePointAt(i))) {
            letters += text.codePointAt(i) >= 0xE0020 ? 1 : 0;
            i += 2;
        }
        boolean flag = start > 1 && text.codePointBefore(start) == 0x1F3F4 && letters < 8;
        if (letters >= LEAST_TAGS && !flag) {
            found.add(SignalKind.HIDDEN_TEXT, start, i);
        }
        return i;
    }

    /** How many words there are until {@code stop}. */
    private static int words(String text, int from, char stop) {
        int limit = Math.min(text.length(), from + LONGEST_TEXT);
        int words = 0;
        boolean inWord = false;
        for (int i = from; i < limit && text.charAt(i) != stop; i++) {
            char c = text.charAt(i);
            boolean letter = Character.isLetterOrDigit(c);
            // Texts without spaces have more words than this.
            words += letter && (!inWord || Character.isIdeographic(c)) ? 1 : 0;
            inWord = letter;
        }
        return words;
    }
}
