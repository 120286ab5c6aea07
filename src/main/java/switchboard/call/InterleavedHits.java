package switchboard.call;

import java.util.List;

/**
 * Which ranking put each hit of an answer there.
 *
 * @param trial the id of the trial that compares the rankings
 * @param sides in the order of all hits, before the answer was made to fit
 */
public record InterleavedHits(String trial, List<HitSide> sides) {
    public InterleavedHits {
        sides = List.copyOf(sides);
    }
}
