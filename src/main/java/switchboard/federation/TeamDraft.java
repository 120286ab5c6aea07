package switchboard.federation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import switchboard.call.HitSide;

/**
 * Mixes two rankings so that what is read of the mix tells which one is better: team-draft interleaving (Radlinski, Kurup and
 * Joachims 2008). In each round a fair coin says which ranking is first to put its best hit that is left; then the other one
 * does. Where both would put the same hit, it is there for both, and reading it says nothing. So among the first hits, however
 * many, the two rankings have put as many each, or one more. Which hits a round has depends on the coin only where the limit of a
 * document leaves room for one of two. Not
 * thread-safe.
 *
 * @param <T> a hit, which is the same object in both rankings
 */
final class TeamDraft<T> {
    /**
     * What becomes of hits.
     *
     * @param <T> a hit
     */
    interface Places<T> {
        /** Whether there is room for {@code hit} now. */
        boolean isOpen(T hit);

        /** {@code hit} is put, and shown there. */
        void take(T hit);

        /** Whether {@code hit} is shown where it is put; one that is not costs its ranking nothing. */
        boolean shows(T hit);
    }

    /**
     * A hit in the mix.
     *
     * @param side which ranking put it
     * @param <T> a hit
     */
    record DraftedHit<T>(T hit, HitSide side) {}

    private final Places<T> places;
    private final int limit;
    private final Set<T> done = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<DraftedHit<T>> mix = new ArrayList<>();
    private int shown;

    private TeamDraft(Places<T> places, int limit) {
        this.places = places;
        this.limit = limit;
    }

    /**
     * The mix: as many hits as it takes to show {@code limit}, or all.
     *
     * @param current the ranking in use
     * @param proposed the other one
     * @param coin says who is first
     */
    static <T> List<DraftedHit<T>> mix(
            List<T> current, List<T> proposed, int limit, Places<T> places, RandomGenerator coin) {
        TeamDraft<T> draft = new TeamDraft<>(places, limit);
        draft.run(draft.new DraftTeam(HitSide.CURRENT, current), draft.new DraftTeam(HitSide.PROPOSED, proposed), coin);
        return List.copyOf(draft.mix);
    }

    private void run(DraftTeam one, DraftTeam other, RandomGenerator coin) {
        while (shown < limit) {
            T first = one.next();
            T second = other.next();
            if (first == null && second == null) {
                return;
            }
            if (first != null && isSame(first, second)) {
                put(first, HitSide.BOTH);
            } else if (coin.nextBoolean()) {
                one.put();
                other.put();
            } else {
                other.put();
                one.put();
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // Hits are told apart as objects.
    private static <T> boolean isSame(T hit, @Nullable T other) {
        return hit == other;
    }

    private void put(T hit, HitSide side) {
        add(hit, side);
        places.take(hit);
        shown++;
    }

    private void add(T hit, HitSide side) {
        done.add(hit);
        mix.add(new DraftedHit<>(hit, side));
    }

    /** One of the two rankings. */
    private final class DraftTeam {
        private final HitSide side;
        private final List<T> ranking;

        DraftTeam(HitSide side, List<T> ranking) {
            this.side = side;
            this.ranking = ranking;
        }

        /** Its best hit that is left, and is shown where it is put; null if there is none. */
        @Nullable
        T next() {
            for (T hit : ranking) {
                if (done.contains(hit)) {
                    continue;
                }
                if (!places.shows(hit)) {
                    add(hit, HitSide.BOTH);
                } else if (places.isOpen(hit)) {
                    return hit;
                }
            }
            return null;
        }

        void put() {
            T hit = next();
            if (hit != null) {
                TeamDraft.this.put(hit, side);
            }
        }
    }
}
