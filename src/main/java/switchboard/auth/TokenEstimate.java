package switchboard.auth;

import java.util.function.LongConsumer;

/** Estimates how many tokens a language model needs to read an answer. Exact counts differ between models. */
@FunctionalInterface
public interface TokenEstimate {
    /** Four bytes for each token; immediate. */
    TokenEstimate ROUGH = (_, answer, then) -> then.accept(Math.ceilDiv(answer.length, 4));

    /**
     * Counts the tokens of an answer without blocking the caller.
     *
     * @param team the team that gets the answer
     * @param answer UTF-8 text, which must not be changed
     * @param then receives the number, immediately or later on another thread
     */
    void count(String team, byte[] answer, LongConsumer then);
}
