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
 * @param usual the next update, unless its folder changes
 * @param tried when an attempt was no update for the last time, so that it is tried again a while later; null usually
 * @param changed when its watched folder has changed for the last time; null if it has not
 */
public record PlannedUpdates(
        CollectionSchedule schedule,
        boolean configured,
        ScheduleState state,
        NextUpdate usual,
        @Nullable Instant tried,
        @Nullable Instant changed) {
    /** The longest delay that is added at random. */
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

    /** The pause after an attempt that was no update. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private static final int PART_OF_PAUSE = 10;

    /** How long nothing must have changed in a folder, so that what is being copied is there. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    /** The shortest time between two updates for changes. */
    private static final Duration BETWEEN_CHANGES = Duration.ofSeconds(30);

    private static final int PAUSES = 3;

    /**
     * An update that the schedule is for.
     *
     * @param due when it is due, without chance
     * @param begins the same with chance
     * @param pause the longest time between two updates from then on
     */
    public record NextUpdate(Instant due, Instant begins, Duration pause) {
        /** The one after {@code state}; {@code chance}, from 0 to 1, says how much of the longest delay is added. */
        static NextUpdate of(UpdateTimes times, ScheduleState state, double chance) {
            Instant due = state.due(times);
            Duration pause = times.pause(due);
            Duration delay = Collections.min(List.of(LONGEST_DELAY, pause.dividedBy(PART_OF_PAUSE)));
            Instant begins = state.atOnce(times) ? due : due.plusMillis(Math.round(delay.toMillis() * chance));
            return new NextUpdate(due, begins, pause);
        }
    }

    /** When the next update begins. */
    public Instant next(Instant now) {
        Instant next = setBack(now) ? now : earlier(usual.begins(), forChange(now));
        Instant again = tried == null || tried.isAfter(now) ? next : tried.plus(PAUSE);
        return again.isAfter(next) ? again : next;
    }

    /** When the next update is due, without chance. */
    Instant due(Instant now) {
        return setBack(now) ? now : earlier(usual.due(), forChange(now));
    }

    /** Of a clock that was set back nobody knows how long ago an update was, so the next one is due. */
    private boolean setBack(Instant now) {
        return state.begun().isAfter(now);
    }

    private static Instant earlier(Instant one, @Nullable Instant other) {
        return other != null && other.isBefore(one) ? other : one;
    }

    /** When an update is due for a change in its folder; null if there is none. */
    private @Nullable Instant forChange(Instant now) {
        if (changed == null) {
            return null;
        }
        Instant quiet = changed.isAfter(now) ? now : changed.plus(QUIET);
        LastUpdate last = state.last();
        if (last == null) {
            return quiet;
        }
        Instant again = Instant.ofEpochMilli(last.began()).plus(BETWEEN_CHANGES);
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
        return age(now).compareTo(longestAge()) > 0;
    }

    /** How old the last complete update may be. */
    public Duration longestAge() {
        Duration set = schedule.maxAge();
        return set != null ? set : usual.pause().multipliedBy(PAUSES);
    }

    /** Whether its updates may use the language model: as who has set it may, or always if the configuration has it. */
    public boolean llm() {
        return configured || (state.own() != null && state.own().llm());
    }

    /** The change in its folder that no update has followed in {@code newer}; null if there is none. */
    @Nullable
    Instant changedIn(ScheduleState newer, Instant now) {
        LastUpdate last = newer.last();
        boolean followed = changed != null
                && last != null
                && (changed.isAfter(now) || Instant.ofEpochMilli(last.began()).isAfter(changed));
        return followed ? null : changed;
    }

    PlannedUpdates tried(Instant time) {
        return new PlannedUpdates(schedule, configured, state, usual, time, changed);
    }

    PlannedUpdates changed(Instant time) {
        return new PlannedUpdates(schedule, configured, state, usual, tried, time);
    }
}
