package switchboard.embed;

/** Where a model sees tokens in a text. Thread-safe; costs processor time in proportion to the text. */
public interface TokenCounter {
    /**
     * The start of each token, ascending, as an offset in UTF-16 units; the model's own marks around a text are not
     * counted. A chunk of {@code n} tokens that begins at token {@code i} ends before {@code starts[i + n]}.
     */
    int[] starts(String text);

    /** How many tokens {@code text} has. */
    default int count(String text) {
        return starts(text).length;
    }
}
