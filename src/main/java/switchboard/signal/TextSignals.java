package switchboard.signal;

import java.util.List;

/** Finds signals in a text: the same ones for the same text, in time that grows with its length only. Thread-safe. */
public final class TextSignals {
    /** UTF-16 units at the beginning of a text that are looked at. */
    public static final int MOST_CHARS = 1 << 23;

    private TextSignals() {}

    /** The signals of {@code text}, at most one for each kind; empty for nearly all texts. */
    public static List<TextSignal> of(String text) {
        String seen = text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS);
        SignalCounter found = new SignalCounter();
        InstructionPhrases.find(seen, found);
        HiddenText.find(seen, found);
        if (!FoldedText.ascii(seen)) {
            InvisibleCharacters.find(seen, found);
            BidiControls.find(seen, found);
        }
        LookalikeLinks.find(seen, found);
        return found.signals();
    }
}
