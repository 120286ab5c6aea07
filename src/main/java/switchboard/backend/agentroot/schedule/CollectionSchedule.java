package switchboard.backend.agentroot.schedule;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.config.AllowedRange;
import switchboard.config.Default;
import switchboard.config.Doc;

/** When a collection is updated by the gateway itself. */
public record CollectionSchedule(
        @Doc(
                "When it is updated: `every 15m` (after the last update, whoever made it), or a cron expression of five fields"
                        + " such as `0 3 * * *`. Up to a tenth of the time between two updates, a minute at most, is added at random.")
        String update,

        @Default("UTC") @Doc("The time zone of a cron expression, such as `Europe/Berlin`.")
        String timeZone,

        @AllowedRange(min = "1s", max = "3660d")
        @Doc(
                "How old the last complete update may be before the alert `SwitchboardCollectionOld` fires. Left out: three times"
                        + " the longest time between two updates.")
        @Nullable
        Duration maxAge,

        @Default("false")
        @Doc(
                "Whether it is also updated when something in its folder changes (inotify): after two seconds without a change, at"
                        + " most every 30 seconds. For collections of a folder of at most 10,000 folders; links are not followed, and"
                        + " changes that other machines make on a network file system are not seen.")
        boolean watch) {
    /**
     * Checks the texts.
     *
     * @throws IllegalArgumentException if they name no times
     */
    public CollectionSchedule {
        UpdateTimes.of(update, timeZone);
    }

    /** Its times. */
    UpdateTimes times() {
        return UpdateTimes.of(update, timeZone);
    }
}
