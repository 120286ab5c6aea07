package switchboard.signal;

import java.util.Locale;

/** Finds what tells an assistant what to do: the phrases of {@link PhraseBook}, and the marks of roles in a conversation. */
final class InstructionPhrases {
    private static final PhraseBook BOOK = PhraseBook.shipped();

    /** Marks that templates of conversations use, and ordinary texts do not. */
    private static final String[] MARKERS = {
        "<|im_start|>",
        "<|im_end|>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
        "<|eot_id|>",
        "<|endoftext|>",
        "<|begin_of_text|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<<sys>>",
        "<</sys>>",
        "[inst]",
        "[/inst]",
        "<system-reminder>",
        "</system-reminder>",
        "<system_prompt>",
        "</system_prompt>",
        "<system-prompt>",
        "</system-prompt>",
        "[system message]",
        "[system prompt]",
        "<|channel|>",
        "<｜user｜>",
        "<｜assistant｜>"
    };

    /** An element of this name is a mark only before words for an assistant: other formats have it, too. */
    private static final String SYSTEM = "<system>";

    private static final int SYSTEM_CHARS = 160;
    private static final PhraseBook ADDRESSED = PhraseBook.of(
            "you|your|youre|ignore|must|assistant|ai|instructions|instruction|prompt|override|always|never");

    private InstructionPhrases() {}

    static void find(String text, SignalCounter found) {
        phrases(text, found);
        markers(text, found);
    }

    /** Whether {@code text} has any. */
    static boolean in(String text) {
        SignalCounter found = new SignalCounter();
        find(text, found);
        return !found.signals().isEmpty();
    }

    private static void phrases(String text, SignalCounter found) {
        Words words = new Words(text);
        boolean spaceless = false;
        int at = 0;
        while (words.next(at)) {
            at = words.end();
            spaceless |= spaceless(text.charAt(words.start()));
            for (Phrase phrase : BOOK.beginningWith(words.hash())) {
                int end = phrase.after(text, at);
                if (end != Phrase.NO) {
                    found.add(SignalKind.INSTRUCTIONS, words.start(), end);
                    at = end;
                    break;
                }
            }
        }
        if (spaceless) {
            charPhrases(text, found);
        }
    }

    /** Han, Kana, Hangul. */
    private static boolean spaceless(char c) {
        return c >= 0x2E80 && c < 0xD800;
    }

    private static void charPhrases(String text, SignalCounter found) {
        int at = 0;
        while (at < text.length()) {
            int end = charPhraseEnd(text, at);
            if (end != CharPhrase.NO) {
                found.add(SignalKind.INSTRUCTIONS, at, end);
            }
            at = end == CharPhrase.NO ? at + 1 : end;
        }
    }

    private static int charPhraseEnd(String text, int at) {
        for (CharPhrase phrase : BOOK.beginningWith(text.charAt(at))) {
            int end = phrase.end(text, at);
            if (end != CharPhrase.NO) {
                return end;
            }
        }
        return CharPhrase.NO;
    }

    private static void markers(String text, SignalCounter found) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '<' || c == '[') {
                int end = markerEnd(text, i);
                if (end > i) {
                    found.add(SignalKind.INSTRUCTIONS, i, end);
                    i = end - 1;
                }
            }
        }
    }

    private static int markerEnd(String text, int at) {
        for (String marker : MARKERS) {
            if (text.regionMatches(true, at, marker, 0, marker.length())) {
                return at + marker.length();
            }
        }
        int after = at + SYSTEM.length();
        // A letter before it is of a format that encloses names so, such as C<system>.
        boolean element = at == 0 || !Character.isLetter(text.charAt(at - 1));
        return element && text.regionMatches(true, at, SYSTEM, 0, SYSTEM.length()) && addressed(text, after)
                ? after
                : at;
    }

    private static boolean addressed(String text, int from) {
        String next = text.substring(from, Math.min(text.length(), from + SYSTEM_CHARS));
        int end = next.toLowerCase(Locale.ROOT).indexOf("</system");
        Words words = new Words(end < 0 ? next : next.substring(0, end));
        for (int at = 0; words.next(at); at = words.end()) {
            if (ADDRESSED.beginningWith(words.hash()).length > 0) {
                return true;
            }
        }
        return false;
    }
}
