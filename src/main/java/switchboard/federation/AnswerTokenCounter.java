package switchboard.federation;

/**
 * Counts the tokens of a text for a language model. It takes about a microsecond for ten characters, so don't call it
 * on an event loop.
 */
@FunctionalInterface
public interface AnswerTokenCounter {
    /** The number of tokens of {@code text}, but at most {@code most + 1}: counting stops there. */
    int of(String text, int most);
}
