package switchboard.backend.agentroot.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of one collection and how far it is. Immutable.
 *
 * @param configured whether the configuration has it
 * @param times those of the schedule
 * @param chance from 0 to 1: how much of the longest delay is added to the next time
 * @param notBefore when it is tried again after an attempt that was no update; null usually
 */
public record PlannedUpdates(
        CollectionSchedule schedule,
        boolean configured,
        UpdateTimes times,
        ScheduleState state,
        double chance,
        @Nullable Instant notBefore) {
    /** The longest delay that is added at random. */
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

    private static final int PART_OF_PAUSE = 10;

    /** When the next update begins. */
    public Instant next(Instant now) {
        Instant due = state.due(times, now);
        Duration delay = Collections.min(List.of(LONGEST_DELAY, times.pause(due).dividedBy(PART_OF_PAUSE)));
        Instant next = state.atOnce(times) ? due : due.plusMillis(Math.round(delay.toMillis() * chance));
        return notBefore != null && notBefore.isAfter(next) ? notBefore : next;
    }

    /** The time since the last complete update began, or since there is a schedule. */
    public Duration age(Instant now) {
        Long success = state.success();
        Duration age = Duration.between(Instant.ofEpochMilli(success == null ? state.since() : success), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** Whether that is longer than it should be. */
    public boolean old(Instant now) {
        return age(now).compareTo(schedule.longestAge(now)) > 0;
    }

    PlannedUpdates notBefore(Instant time) {
        return new PlannedUpdates(schedule, configured, times, state, chance, time);
    }
}
