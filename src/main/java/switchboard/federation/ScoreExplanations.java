package switchboard.federation;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.ScorePart;
import switchboard.store.PooledKeywordScore;

/**
 * Why hits have their scores: {@link HitFusion} notes it while it ranks, as far as the caller wants to know. For one search;
 * not thread-safe.
 */
final class ScoreExplanations {
    /** Keeps nothing. */
    static final ScoreExplanations NONE = new ScoreExplanations(null);

    /** By the best passage of a hit. Passages are told apart as objects: different ones may have the same content. */
    private final @Nullable Map<Candidate, List<ScorePart>> parts;

    private PooledKeywordScore.Scores counted = PooledKeywordScore.Scores.of();

    private ScoreExplanations(@Nullable Map<Candidate, List<ScorePart>> parts) {
        this.parts = parts;
    }

    static ScoreExplanations wanted() {
        return new ScoreExplanations(new IdentityHashMap<>());
    }

    boolean areWanted() {
        return parts != null;
    }

    /** Notes the keyword scores that hits have. */
    void counted(PooledKeywordScore.Scores scores) {
        if (parts != null) {
            counted = scores;
        }
    }

    /**
     * Notes the score of a hit.
     *
     * @param best the hit's best passage
     * @param made what its score is made of
     */
    void scored(Candidate best, List<ScorePart> made) {
        if (parts != null) {
            parts.put(best, List.copyOf(made));
        }
    }

    /** Notes that a hit is shown as another one of its copies: its score is made of the same. */
    void shownAs(Candidate best, Candidate copy) {
        if (parts != null) {
            parts.put(copy, parts.getOrDefault(best, List.of()));
        }
    }

    /** The parts of a hit's score, which add up to it. */
    List<ScorePart> of(FusedHit hit) {
        return parts == null ? List.of() : parts.getOrDefault(hit.best(), List.of());
    }

    /** The words of the query that each of these passages has, as it writes them. */
    List<List<String>> words(List<Candidate> passages) {
        return counted.words(passages.stream().map(Candidate::searchedText).toList());
    }
}
