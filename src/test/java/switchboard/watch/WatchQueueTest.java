package switchboard.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.auth.PrincipalId;

/** Whose question is asked next. */
class WatchQueueTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final WatchQueue queue = new WatchQueue(new WatchSettings(
            Map.of(
                    "slow", team(60),
                    "*", team(6000)),
            Set.of("slow", "none")));

    private static WatchSettings.TeamWatches team(int perMinute) {
        return new WatchSettings.TeamWatches(
                10, Duration.ofMinutes(10), perMinute, Duration.ofDays(1), Duration.ofDays(90), Optional.empty());
    }

    private static Watch watch(String team, String name, long ran) {
        return new Watch(
                "watch://" + name,
                new PrincipalId(team, "key", null),
                "",
                new StandingQuestion(name, List.of(), null, 10, 0, null, null),
                null,
                new Watch.WatchTimes(0, 0, ran),
                WatchAnswers.NONE,
                null);
    }

    @Test
    void teamsTakeTurnsAtTheirPace() {
        for (String name : List.of("s1", "s2", "s3", "s1")) {
            queue.add(watch("slow", name, 0));
        }
        queue.add(watch("fast", "f1", 0));
        queue.add(watch("fast", "f2", 0));
        assertEquals(5, queue.size());
        assertEquals(Optional.of("watch://s1"), queue.take(0));
        assertEquals(Optional.of("watch://f1"), queue.take(0));
        assertEquals(Optional.empty(), queue.take(0), "each has its pace");
        assertEquals(Optional.of("watch://f2"), queue.take(SECOND / 100));
        assertEquals(Optional.of("watch://s2"), queue.take(SECOND));
        assertEquals(Optional.empty(), queue.take(SECOND + 1));
        assertEquals(Optional.of("watch://s3"), queue.take(2 * SECOND));
        assertEquals(Optional.empty(), queue.take(Long.MAX_VALUE / 2));
    }

    @Test
    void oneIsDueAfterItsTime() {
        Instant now = Instant.ofEpochMilli(0).plus(Duration.ofMinutes(10));
        queue.addIfDue(watch("fast", "young", 1), now);
        queue.addIfDue(watch("none", "off", 0), now);
        assertEquals(0, queue.size());
        queue.addIfDue(watch("fast", "due", 0), now);
        assertEquals(Optional.of("watch://due"), queue.take(0));
    }
}
