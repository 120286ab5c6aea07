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
        "<|channel|>"
    };

    private static final String LIST = "inst]";

    /** An element of this name is a mark only before words for an assistant: other formats have it, too. */
    private static final String SYSTEM = "<system>";

    private static final int SYSTEM_CHARS = 160;
    private static final PhraseBook ADDRESSED = PhraseBook.of(
            "you|your|youre|ignore|must|assistant|ai|instructions|instruction|prompt|override|always|never");

    private InstructionPhrases() {}

    static void find(String text, SignalCounter found) {
        FoldedText folded = FoldedText.of(text);
        // Between two words a character that is not seen may stand for a space.
        if (!find(folded, found) && folded.without()) {
            find(FoldedText.spaced(text), found);
        }
    }

    private static boolean find(FoldedText folded, SignalCounter found) {
        return phrases(folded, found) | markers(folded, found);
    }

    /** Whether {@code text} has any. */
    static boolean in(String text) {
        SignalCounter found = new SignalCounter();
        find(text, found);
        return !found.signals().isEmpty();
    }

    private static boolean phrases(FoldedText folded, SignalCounter found) {
        String text = folded.text();
        boolean any = false;
        Words words = new Words(text);
        int at = 0;
        while (words.next(at)) {
            at = words.end();
            for (Phrase phrase : BOOK.beginningWith(words.hash())) {
                int end = phrase.after(text, at);
                if (end != Phrase.NO) {
                    found.add(SignalKind.INSTRUCTIONS, folded.start(words.start()), folded.end(end));
                    any = true;
                    at = end;
                    break;
                }
            }
        }
        return (folded.spaceless() && charPhrases(folded, found)) || any;
    }

    private static boolean charPhrases(FoldedText folded, SignalCounter found) {
        String text = folded.text();
        boolean any = false;
        int at = 0;
        while (at < text.length()) {
            int end = charPhraseEnd(text, at);
            if (end != CharPhrase.NO) {
                found.add(SignalKind.INSTRUCTIONS, folded.start(at), folded.end(end));
                any = true;
            }
            at = end == CharPhrase.NO ? at + 1 : end;
        }
        return any;
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

    private static boolean markers(FoldedText folded, SignalCounter found) {
        String text = folded.text();
        if (text.indexOf('<') < 0 && text.indexOf('[') < 0) {
            return false; // each mark begins with one of these
        }
        boolean any = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '<' || c == '[') {
                int end = markerEnd(text, i);
                if (end > i && !listOfOne(folded, i, end)) {
                    found.add(SignalKind.INSTRUCTIONS, folded.start(i), folded.end(end));
                    any = true;
                    i = end - 1;
                }
            }
        }
        return any;
    }

    /** Programs have lists such as {@code [inst]}; the mark has capitals. */
    private static boolean listOfOne(FoldedText folded, int start, int end) {
        return folded.text().regionMatches(true, end - LIST.length(), LIST, 0, LIST.length())
                && folded.original(start, end).codePoints().anyMatch(Character::isLowerCase);
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
