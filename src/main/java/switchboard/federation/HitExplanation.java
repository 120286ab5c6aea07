package switchboard.federation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.ScorePart;
import switchboard.store.RoundedScore;

/**
 * Why a hit ranks where it does. Names are those on the wire.
 *
 * @param parts what its score is made of
 * @param words the words of the query that its title and passage have, as they write them
 * @param in_source what its score in its source is made of; null if the source does not say
 */
record HitExplanation(
        List<ScorePart> parts, List<String> words, @Nullable List<ScorePart> in_source) {
    /** Those of {@code hits}, in their order; none if nobody wants them. */
    static List<HitExplanation> of(List<FusedHit> hits, ScoreExplanations explanations) {
        if (!explanations.areWanted()) {
            return List.of();
        }
        List<List<String>> words =
                explanations.words(hits.stream().map(FusedHit::best).toList());
        List<HitExplanation> all = new ArrayList<>();
        for (FusedHit hit : hits) {
            List<ScorePart> inSource = hit.best().passage().parts();
            all.add(new HitExplanation(
                    RoundedScore.of(explanations.of(hit)),
                    words.get(all.size()),
                    inSource.isEmpty() ? null : RoundedScore.of(inSource)));
        }
        return all;
    }
}
