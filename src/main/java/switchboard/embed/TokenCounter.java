package switchboard.embed;

/** Splits texts into a model's tokens. Thread-safe; the time is proportional to the length of the text. */
public interface TokenCounter {
    /**
     * The start of each token, ascending, as an offset in UTF-16 units, without special tokens. A chunk of {@code n}
     * tokens that begins at token {@code i} ends before {@code starts[i + n]}.
     */
    int[] starts(String text);

    /** The number of tokens of {@code text}. */
    default int count(String text) {
        return starts(text).length;
    }
}
