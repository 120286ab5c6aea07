package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import switchboard.call.HitSide;
import switchboard.federation.TeamDraft.DraftedHit;

/** What a mix of two rankings promises, whatever they are. */
class TeamDraftTest {
    /** Hits of a document that may have only so many, and hits that are not shown where they are put. */
    private static final class Rules implements TeamDraft.Places<String> {
        private final int perDocument;
        private final Set<String> aside;
        private final Map<Character, Integer> taken = new HashMap<>();

        Rules(int perDocument, Set<String> aside) {
            this.perDocument = perDocument;
            this.aside = aside;
        }

        @Override
        public boolean isOpen(String hit) {
            return taken.getOrDefault(hit.charAt(0), 0) < perDocument;
        }

        @Override
        public void take(String hit) {
            assertTrue(isOpen(hit), hit);
            taken.merge(hit.charAt(0), 1, Integer::sum);
        }

        @Override
        public boolean shows(String hit) {
            return !aside.contains(hit);
        }
    }

    private static Rules none() {
        return new Rules(Integer.MAX_VALUE, Set.of());
    }

    private static List<String> hits(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> (char) ('a' + i % 7) + "" + i)
                .toList();
    }

    private static List<String> shuffled(List<String> hits, Random random) {
        List<String> shuffled = new ArrayList<>(hits);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private static List<DraftedHit<String>> mix(
            List<String> current, List<String> proposed, int limit, Rules rules, long seed) {
        return TeamDraft.mix(current, proposed, limit, rules, new SplittableRandom(seed));
    }

    private static List<String> order(List<DraftedHit<String>> mix) {
        return mix.stream().map(DraftedHit::hit).toList();
    }

    private static int difference(List<DraftedHit<String>> part) {
        int difference = 0;
        for (DraftedHit<String> hit : part) {
            difference += hit.side() == HitSide.PROPOSED ? 1 : hit.side() == HitSide.CURRENT ? -1 : 0;
        }
        return difference;
    }

    @Property(tries = 300)
    void eachBeginningHasAsManyOfBothAndAllIsThereOnce(
            @ForAll long seed, @ForAll @IntRange(min = 0, max = 40) int count) {
        Random random = new Random(seed);
        List<String> hits = hits(count);
        List<String> current = shuffled(hits, random);
        List<String> proposed = shuffled(hits, random);
        List<DraftedHit<String>> mix = mix(current, proposed, Integer.MAX_VALUE, none(), seed);
        assertEquals(count, mix.size());
        assertEquals(Set.copyOf(current), new HashSet<>(order(mix)), "the union, and nothing twice");
        for (int i = 0; i <= count; i++) {
            assertTrue(Math.abs(difference(mix.subList(0, i))) <= 1, mix::toString);
        }
        assertEquals(mix, mix(current, proposed, Integer.MAX_VALUE, none(), seed), "the same seed, the same mix");
        for (int limit : List.of(1, 3, 10)) {
            List<DraftedHit<String>> part = mix(current, proposed, limit, none(), seed);
            int most = Math.min(limit, mix.size());
            assertTrue(part.size() >= most, part::toString);
            assertEquals(mix.subList(0, part.size()), part, "a larger limit goes on where a smaller one ends");
        }
    }

    /** Which hits stand in a round does not depend on the coin, so that none of the two rankings is favoured. */
    @Property(tries = 100)
    void whoSwapsTheRankingsAndTheCoinSwapsTheSides(@ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int count) {
        Random random = new Random(seed);
        List<String> hits = hits(count);
        List<String> current = shuffled(hits, random);
        List<String> proposed = shuffled(hits, random);
        List<DraftedHit<String>> mix = mix(current, proposed, Integer.MAX_VALUE, none(), seed);
        SplittableRandom coin = new SplittableRandom(seed);
        List<DraftedHit<String>> swapped = TeamDraft.mix(
                proposed,
                current,
                Integer.MAX_VALUE,
                none(),
                () -> coin.nextBoolean() ? 0 : -1L); // nextBoolean() of this one is the opposite
        assertEquals(order(mix), order(swapped));
        for (int i = 0; i < count; i++) {
            assertEquals(
                    switch (mix.get(i).side()) {
                        case CURRENT -> HitSide.PROPOSED;
                        case PROPOSED -> HitSide.CURRENT;
                        case BOTH -> HitSide.BOTH;
                    },
                    swapped.get(i).side());
        }
    }

    @Property(tries = 300)
    void limitsOfDocumentsAndRulesHoldInTheMix(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 40) int count,
            @ForAll @IntRange(min = 1, max = 3) int most) {
        Random random = new Random(seed);
        List<String> hits = hits(count);
        List<String> current = shuffled(hits, random).subList(0, count - count / 5);
        List<String> proposed = shuffled(hits, random).subList(0, count - count / 5);
        Set<String> aside = new HashSet<>(shuffled(hits, random).subList(0, count / 4));
        List<DraftedHit<String>> mix = mix(current, proposed, Integer.MAX_VALUE, new Rules(most, aside), seed);
        Map<Character, Integer> of = new HashMap<>();
        order(mix).stream()
                .filter(hit -> !aside.contains(hit)) // what is not shown where it is put takes no place
                .forEach(hit -> of.merge(hit.charAt(0), 1, Integer::sum));
        assertTrue(of.values().stream().allMatch(number -> number <= most), mix::toString);
        assertEquals(mix.size(), new HashSet<>(order(mix)).size(), "nothing twice");
        Set<String> union = new HashSet<>(current);
        union.addAll(proposed);
        union.removeAll(order(mix));
        assertTrue(
                union.stream().allMatch(hit -> of.getOrDefault(hit.charAt(0), 0) == most),
                "what is missing had no room");
        mix.stream()
                .filter(hit -> aside.contains(hit.hit()))
                .forEach(hit -> assertEquals(HitSide.BOTH, hit.side(), "it costs its ranking nothing"));
        List<DraftedHit<String>> part = mix(current, proposed, 5, new Rules(most, aside), seed);
        long shown = part.stream().filter(hit -> !aside.contains(hit.hit())).count();
        assertTrue(
                shown
                        >= Math.min(
                                5,
                                mix.stream()
                                        .filter(hit -> !aside.contains(hit.hit()))
                                        .count()),
                part::toString);
        assertEquals(mix.subList(0, part.size()), part);
    }

    @Test
    void whereBothAgreeNobodyWinsAndTheCoinIsFair() {
        List<String> same = hits(20);
        assertTrue(mix(same, same, 10, none(), 1).stream().allMatch(hit -> hit.side() == HitSide.BOTH));
        assertEquals(same.subList(0, 10), order(mix(same, same, 10, none(), 1)));
        assertEquals(List.of(), mix(List.of(), List.of(), 10, none(), 1));
        int first = 0;
        String one = same.get(0);
        String other = same.get(1);
        for (int seed = 0; seed < 10_000; seed++) {
            List<DraftedHit<String>> mix = mix(List.of(one, other), List.of(other, one), 10, none(), seed);
            assertEquals(2, mix.size());
            first += mix.getFirst().side() == HitSide.PROPOSED ? 1 : 0;
        }
        int often = first;
        assertTrue(Math.abs(first - 5_000) < 200, () -> "four standard deviations: " + often);
        assertEquals(List.of(new DraftedHit<>(one, HitSide.PROPOSED)), mix(List.of(), List.of(one), 10, none(), 1));
    }
}
