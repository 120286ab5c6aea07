package switchboard.backend.agentroot.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.schedule.ScheduleState.LastUpdate;

/**
 * The schedule of one collection and how far it is. Immutable.
 *
 * @param configured whether the configuration has it
 * @param times those of the schedule
 * @param chance from 0 to 1: how much of the longest delay is added to the next time
 * @param notBefore when it is tried again after an attempt that was no update; null usually
 * @param changed when its watched folder has changed for the last time; null if it has not
 */
public record PlannedUpdates(
        CollectionSchedule schedule,
        boolean configured,
        UpdateTimes times,
        ScheduleState state,
        double chance,
        @Nullable Instant notBefore,
        @Nullable Instant changed) {
    /** The longest delay that is added at random. */
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

    private static final int PART_OF_PAUSE = 10;

    /** How long nothing must have changed in a folder, so that what is being copied is there. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    /** The shortest time between two updates for changes. */
    private static final Duration BETWEEN_CHANGES = Duration.ofSeconds(30);

    /** When the next update begins. */
    public Instant next(Instant now) {
        Instant due = state.due(times, now);
        Duration delay = Collections.min(List.of(LONGEST_DELAY, times.pause(due).dividedBy(PART_OF_PAUSE)));
        Instant usual = state.atOnce(times) ? due : due.plusMillis(Math.round(delay.toMillis() * chance));
        Instant next = earlier(usual, forChange(now));
        return notBefore != null && notBefore.isAfter(next) ? notBefore : next;
    }

    /** When the next update is due, without chance. */
    Instant due(Instant now) {
        return earlier(state.due(times, now), forChange(now));
    }

    private static Instant earlier(Instant one, @Nullable Instant other) {
        return other != null && other.isBefore(one) ? other : one;
    }

    /** When an update is due for a change in its folder; null if one has begun since then. */
    private @Nullable Instant forChange(Instant now) {
        if (changed == null) {
            return null;
        }
        Instant quiet = (changed.isAfter(now) ? now : changed).plus(QUIET);
        LastUpdate last = state.last();
        if (last == null) {
            return quiet;
        }
        Instant began = Instant.ofEpochMilli(last.began());
        if (began.isAfter(changed)) {
            return null;
        }
        Instant again = began.plus(BETWEEN_CHANGES);
        return again.isAfter(quiet) ? again : quiet;
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

    /** Whether its updates may use the language model: as who has set it may, or always if the configuration has it. */
    public boolean llm() {
        return configured || (state.own() != null && state.own().llm());
    }

    PlannedUpdates notBefore(Instant time) {
        return new PlannedUpdates(schedule, configured, times, state, chance, time, changed);
    }

    PlannedUpdates changed(Instant time) {
        return new PlannedUpdates(schedule, configured, times, state, chance, notBefore, time);
    }
}
