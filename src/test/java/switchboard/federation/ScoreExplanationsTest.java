package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Caller;
import switchboard.call.Passage;
import switchboard.call.ScorePart;
import switchboard.call.ScorePart.Name;
import switchboard.call.TermStatistics;
import switchboard.store.PooledKeywordScore;

class ScoreExplanationsTest {
    private static final List<String> WORDS =
            List.of("harbour", "tugs", "Vessel", "rope", "engine", "steaming", "river", "captain's", "cargo", "pilot");

    /** Lists of sources with and without cosines, whose texts are partly the same. */
    private static List<RankedPassages> random(Random random) {
        List<RankedPassages> all = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int source = 0; source < 1 + random.nextInt(4); source++) {
            List<Passage> passages = new ArrayList<>();
            boolean cosines = random.nextBoolean();
            for (int i = 0; i < random.nextInt(8); i++) {
                StringBuilder text = new StringBuilder();
                for (int word = 0; word < 14; word++) {
                    text.append(WORDS.get(random.nextInt(WORDS.size()))).append(", ");
                }
                texts.add(random.nextInt(3) == 0 && !texts.isEmpty() ? texts.getFirst() : text.toString());
                passages.add(FederationFixture.passage(
                        source + "-" + i, texts.getLast(), cosines ? 1 - random.nextDouble() * 1.2 : null));
            }
            all.add(new RankedPassages(
                    new SearchSource("b" + source, Caller.unrestricted(), FederationFixture.source("all")),
                    random.nextBoolean() ? 1 : random.nextDouble() * 3,
                    passages,
                    TermStatistics.NONE));
        }
        return all;
    }

    private static HitFusion fusion(FusionMethod method) {
        return new HitFusion(PooledKeywordScore::of, FederationFixture.MODELS, method);
    }

    @Property(tries = 300)
    void thePartsAddUpToTheScore(
            @ForAll long seed, @ForAll @DoubleRange(min = 0, max = 1) double similarity, @ForAll boolean byRank) {
        List<RankedPassages> lists = random(new Random(seed));
        HitFusion fusion =
                fusion(byRank ? new FusionMethod.ReciprocalRank(60) : new FusionMethod.WeightedSum(similarity));
        ScoreExplanations explanations = ScoreExplanations.wanted();
        List<FusedHit> hits = fusion.fuse("steam tug captain", lists, explanations);
        for (FusedHit hit : hits) {
            List<ScorePart> parts = explanations.of(hit);
            assertFalse(parts.isEmpty());
            assertEquals(
                    hit.score(), parts.stream().mapToDouble(ScorePart::value).sum(), 1e-12, parts::toString);
            Set<Name> names = EnumSet.noneOf(Name.class);
            parts.forEach(part -> assertTrue(names.add(part.name()), parts::toString));
        }
        assertEquals(fusion.fuse("steam tug captain", lists), hits);
    }

    @Property(tries = 100)
    void theWordsAreThoseOfThePassage(@ForAll long seed) {
        List<RankedPassages> lists = random(new Random(seed));
        ScoreExplanations explanations = ScoreExplanations.wanted();
        List<FusedHit> hits =
                fusion(new FusionMethod.WeightedSum(0)).fuse("the steam tug captain", lists, explanations);
        List<List<String>> words =
                explanations.words(hits.stream().map(FusedHit::best).toList());
        for (int i = 0; i < hits.size(); i++) {
            String text = hits.get(i).best().passage().text();
            List<String> expected = List.of("steaming", "tugs", "captain's").stream()
                    .filter(text::contains)
                    .sorted()
                    .toList();
            assertEquals(expected, words.get(i).stream().sorted().toList(), text);
            assertEquals(expected.isEmpty(), hits.get(i).score() == 0, text);
        }
    }

    @Test
    void wordsAreNamedAsTheTextWritesThem() {
        List<String> texts = List.of("getUserName() 灯台の光は遠くまで届く. USER-names; the Häuser", "nothing");
        assertEquals(
                List.of(List.of("getUserName", "灯", "灯台", "台", "USER", "names"), List.of()),
                words("user name of the 灯台", texts));
    }

    private static List<List<String>> words(String query, List<String> texts) {
        return PooledKeywordScore.of(query, texts, TermStatistics.NONE).words(texts);
    }

    @ParameterizedTest
    @CsvSource({
        "Geschwindigkeitsbegrenzung, Die Geschwindigkeitsbegrenzung gilt auf der ganzen Straße, Geschwindigkeitsbegrenzung",
        "transaction manager, x.getTransactionSynchronizationManager(), getTransactionSynchronizationManager",
        "transaction manager, org.example.transaction.support.DefaultTransactionManager,"
                + " transaction DefaultTransactionManager",
        "हिन्दी, यह हिन्दी है, हिन्दी",
        "தமிழ், இது தமிழ் மொழி, தமிழ்",
        "java 言語, Java言語で書かれた, Java 言 言語 語",
        "tug, the 'tug' and tug's, tug tug's",
    })
    void longWordsAndThoseOfOtherScriptsAreNamedWhole(String query, String text, String expected) {
        assertEquals(List.of(List.of(expected.split(" "))), words(query, List.of(text)));
    }

    @Test
    void nothingIsKeptThatNobodyWants() {
        List<FusedHit> hits =
                fusion(new FusionMethod.WeightedSum(0.5)).fuse("steam", random(new Random(7)), ScoreExplanations.NONE);
        assertFalse(hits.isEmpty());
        hits.forEach(hit -> assertEquals(List.of(), ScoreExplanations.NONE.of(hit)));
        assertEquals(List.of(), HitExplanation.of(hits, ScoreExplanations.NONE));
        List<Candidate> best = hits.stream().map(FusedHit::best).toList();
        assertEquals(best.stream().map(_ -> List.of()).toList(), ScoreExplanations.NONE.words(best));
    }
}
