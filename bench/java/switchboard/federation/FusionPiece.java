package switchboard.federation;

import switchboard.call.Caller;
import switchboard.call.Passage;
import switchboard.call.TermStatistics;
import switchboard.store.PooledKeywordScore;


import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;





/** What four sources found for one query, to be made one order. */
public final class FusionPiece {
    private static final int SOURCES = 4;
    private static final int PASSAGES = 30;
    private static final int WORDS = 100;
    private static final int VOCABULARY = 2_000;

    private final HitFusion fusion = new HitFusion(
            PooledKeywordScore::of, FederationFixture.MODELS, new FusionMethod.WeightedSum(0.7));
    private final List<RankedPassages> found = new ArrayList<>();

    /** The same at every run. */
    public FusionPiece() {
        Random random = new Random(1);
        for (int source = 0; source < SOURCES; source++) {
            List<Passage> passages = new ArrayList<>();
            for (int rank = 0; rank < PASSAGES; rank++) {
                String text = random.ints(WORDS, 0, VOCABULARY)
                        .mapToObj(number -> "word" + number)
                        .collect(Collectors.joining(" "));
                passages.add(FederationFixture.passage(source + "-" + rank, text, 0.9 - rank / 100.0));
            }
            found.add(new RankedPassages(
                    new SearchSource("source" + source, Caller.unrestricted(), FederationFixture.source("all")),
                    1,
                    passages,
                    TermStatistics.NONE));
        }
    }

    /** Their order. */
    public Object fuse() {
        return fusion.fuse("word1 word17 word1700 word4", found);
    }
}
