package switchboard.app;

import java.time.Duration;

/**
 * How often a gateway does what nobody asks it for. Configurations don't have them; a test that would wait for one has a shorter one.
 *
 * @param health from one check of a backend to the next, more than 0
 * @param disks from one check of the folders that are written to to the next, more than 0
 * @param usage from one writing of counted calls for the others of a cluster to the next, more than 0
 */
public record Periods(Duration health, Duration disks, Duration usage) {
    /** Those of a gateway in use. A page and the documentation name them. */
    public static final Periods USUAL =
            new Periods(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(10));
}
