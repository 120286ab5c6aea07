package switchboard.store;

import java.util.List;
import switchboard.call.ScorePart;

/**
 * Why a hit has its score. Names are those on the wire.
 *
 * @param parts what the score is made of; they add up to it
 * @param words the words of the query that its title, headings and text have, as they write them; none if only parts are asked for
 */
public record ScoreExplanation(List<ScorePart> parts, List<String> words) {
    public ScoreExplanation {
        parts = List.copyOf(parts);
        words = List.copyOf(words);
    }

    /** The same with parts of five decimals. */
    public ScoreExplanation rounded() {
        return new ScoreExplanation(RoundedScore.of(parts), words);
    }
}
