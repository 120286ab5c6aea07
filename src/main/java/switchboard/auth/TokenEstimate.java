package switchboard.auth;

import java.util.function.LongConsumer;

/** About how many tokens a model takes to read an answer: exact counts differ from model to model. */
@FunctionalInterface
public interface TokenEstimate {
    /** Four bytes to a token, at once. */
    TokenEstimate ROUGH = (_, answer, then) -> then.accept(Math.ceilDiv(answer.length, 4));

    /**
     * Counts, without making the caller wait.
     *
     * @param team whose answer it is
     * @param answer UTF-8 text, which must not be changed
     * @param then gets the number, at once or later on another thread
     */
    void count(String team, byte[] answer, LongConsumer then);
}
