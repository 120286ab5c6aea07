package switchboard.federation;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much one call may still compare, in bytes. Places that are cited have their own share: a search for passages that moved
 * must not use up what it takes to see that others did not.
 */
final class SearchWork {
    private final AtomicLong places;
    private final AtomicLong elsewhere;

    /**
     * The work of one call.
     *
     * @param places how much at the places that are cited
     * @param elsewhere how much to search for passages that are not there
     */
    SearchWork(long places, long elsewhere) {
        this.places = new AtomicLong(places);
        this.elsewhere = new AtomicLong(elsewhere);
    }

    /** Whether so much may be done at a cited place. */
    boolean atPlace(long cost) {
        return places.addAndGet(-cost) >= 0;
    }

    /** Whether so much may be done to search elsewhere. */
    boolean elsewhere(long cost) {
        return elsewhere.addAndGet(-cost) >= 0;
    }
}
