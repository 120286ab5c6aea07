package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import switchboard.store.Fusion;

class FusionChoiceTest {
    @Test
    void eachWeightOfTheConfigurationIsTheOneOfItsName() {
        VectordbSettings.Ranking ranking = new VectordbSettings.Ranking(0.1, 0.2, 0.3, 0.4, 0.5, 0.6);
        Fusion.WeightedSum fusion =
                (Fusion.WeightedSum) FusionChoice.of("linear").fusion(ranking);
        assertEquals(ranking.vectors(), fusion.weight());
        assertEquals(ranking.bigrams(), fusion.bigrams());
        assertEquals(ranking.proximity(), fusion.proximity());
        assertEquals(ranking.feedback(), fusion.feedback());
        assertEquals(ranking.neighbours(), fusion.neighbours());
        assertEquals(ranking.document(), fusion.document());
        assertEquals(Fusion.byRank(), FusionChoice.of("rrf").fusion(ranking));
    }
}
