package switchboard.backend.agentroot.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import switchboard.backend.agentroot.schedule.ScheduleState.LastUpdate;
import switchboard.backend.agentroot.schedule.ScheduleState.SetSchedule;
import switchboard.backend.agentroot.schedule.ScheduleState.UpdatedDocuments;
import switchboard.call.Json;
import switchboard.config.DurationText;

/** A schedule as people see it. */
public final class ScheduleView {
    private ScheduleView() {}

    /**
     * The schedule of {@code collection}.
     *
     * @param all whether who sees it may read all documents, and so learns what was done with them
     */
    public static ObjectNode of(String collection, PlannedUpdates plan, Instant now, boolean all) {
        CollectionSchedule schedule = plan.schedule();
        ObjectNode shown = Json.object()
                .put("collection", collection)
                .put("update", schedule.update())
                .put("time_zone", schedule.timeZone())
                .put("max_age_seconds", plan.longestAge().toSeconds())
                .put("configured", plan.configured())
                .put("next", plan.next(now).toString())
                .put("age_seconds", plan.age(now).toSeconds())
                .put("old", plan.old(now));
        if (schedule.maxAge() != null) {
            shown.put("max_age", DurationText.of(schedule.maxAge()));
        }
        SetSchedule own = plan.state().own();
        if (own != null && !plan.configured()) {
            shown.put("by", own.by());
        }
        LastUpdate last = plan.state().last();
        if (last != null) {
            shown.set("last", last(last, all));
        }
        return shown;
    }

    private static ObjectNode last(LastUpdate last, boolean all) {
        ObjectNode shown = Json.object()
                .put("scheduled", last.scheduled())
                .put("began", Instant.ofEpochMilli(last.began()).toString())
                .put("ms", last.ended() - last.began())
                .put("ok", last.error() == null)
                .put("complete", last.error() == null && !last.rest());
        UpdatedDocuments counts = last.counts();
        if (all && counts != null) {
            shown.put("added", counts.added())
                    .put("changed", counts.changed())
                    .put("removed", counts.removed())
                    .put("skipped", counts.skipped());
        }
        if (all && last.error() != null) {
            shown.put("error", last.error());
        }
        return shown;
    }
}
