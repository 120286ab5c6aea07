package switchboard.backend.agentroot.schedule;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.config.DurationText;

/**
 * What is kept of a schedule. Times are milliseconds since 1970.
 *
 * @param own the schedule that somebody has set, which one of the configuration comes before; null if nobody has
 * @param since when there was a schedule for the first time
 * @param last the last update, whoever made it; null before the first
 * @param success when the last complete update began; null before the first
 * @param failures how many updates have failed since then
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ScheduleState(
        @Nullable SetSchedule own,
        long since,
        @Nullable LastUpdate last,
        @Nullable Long success,
        int failures) {
    /**
     * A schedule as somebody has set it.
     *
     * @param by who did
     * @param llm whether who did may use the language model on the collection
     */
    public record SetSchedule(
            String update, String timeZone, @Nullable Long maxAgeMs, String by, boolean llm) {
        /** The shortest interval that is set; the configuration may have a shorter one. */
        private static final Duration SHORTEST = Duration.ofMinutes(1);

        private static final Set<String> FIELDS = Set.of("update", "time_zone", "max_age");

        /**
         * The schedule that {@code wanted} describes.
         *
         * @throws IllegalArgumentException with a sentence that says what is wrong with it
         */
        public static SetSchedule of(ObjectNode wanted, String by, boolean llm) {
            wanted.fieldNames().forEachRemaining(name -> {
                if (!FIELDS.contains(name)) {
                    throw new IllegalArgumentException(
                            "There is no field " + name + ", but update, time_zone, max_age");
                }
            });
            String update = text(wanted, "update");
            String zone = text(wanted, "time_zone");
            String age = text(wanted, "max_age");
            if (update == null) {
                throw new IllegalArgumentException("update must be a text such as every 15m or 0 3 * * *");
            }
            SetSchedule set = new SetSchedule(
                    update.strip(), zone == null ? "UTC" : zone, age == null ? null : age(age).toMillis(), by, llm);
            UpdateTimes.of(set.update(), set.timeZone(), SHORTEST);
            return set;
        }

        private static @Nullable String text(ObjectNode wanted, String field) {
            JsonNode value = wanted.get(field);
            if (value != null && !value.isTextual()) {
                throw new IllegalArgumentException(field + " must be a text");
            }
            return value == null ? null : value.textValue();
        }

        private static Duration age(String text) {
            Duration age;
            try {
                age = DurationText.parse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("max_age \"" + text + "\" " + e.getMessage(), e);
            }
            if (age.compareTo(UpdateTimes.SHORTEST) < 0 || age.compareTo(UpdateTimes.LONGEST.multipliedBy(10)) > 0) {
                throw new IllegalArgumentException("max_age \"" + text + "\" is not from 1s to 3660d");
            }
            return age;
        }

        CollectionSchedule schedule() {
            return new CollectionSchedule(
                    update, timeZone, maxAgeMs == null ? null : Duration.ofMillis(maxAgeMs), false);
        }
    }

    /**
     * An update that has ended.
     *
     * @param scheduled whether a schedule began it, not somebody's call
     * @param counts what it has done; null if it failed before that was known
     * @param rest whether documents are left for the next one because its time was over
     * @param error why it did not do everything; null if it did, or if only its time was over
     */
    public record LastUpdate(
            boolean scheduled,
            long began,
            long ended,
            @Nullable UpdatedDocuments counts,
            boolean rest,
            @Nullable String error) {}

    /** How many documents an update has added, changed, removed and left out. */
    public record UpdatedDocuments(int added, int changed, int removed, int skipped) {}

    static ScheduleState begun(Instant since) {
        return new ScheduleState(null, since.toEpochMilli(), null, null, 0);
    }

    ScheduleState set(@Nullable SetSchedule schedule) {
        return new ScheduleState(schedule, since, last, success, failures);
    }

    ScheduleState updated(LastUpdate update) {
        boolean failed = update.error() != null;
        boolean complete = !failed && !update.rest();
        return new ScheduleState(
                own, since, update, complete ? Long.valueOf(update.began()) : success, failed ? failures + 1 : 0);
    }

    /** When the last update began, or the schedule. */
    Instant begun() {
        return Instant.ofEpochMilli(last == null ? since : last.began());
    }

    /** When the next update is due, without chance. */
    Instant due(UpdateTimes times) {
        Instant begun = begun();
        if (atOnce(times)) {
            return begun;
        }
        Instant usual = times.after(begun);
        if (failures == 0) {
            return usual;
        }
        Instant again = begun.plus(Duration.ofMinutes(1L << Math.min(failures - 1, 6)));
        // What fails each second is not to be tried each second.
        return times instanceof UpdateTimes.Every || again.isBefore(usual) ? again : usual;
    }

    /** Whether the next update need not wait: the last one has left documents for it, or it is the first one of an interval. */
    boolean atOnce(UpdateTimes times) {
        return last == null ? times instanceof UpdateTimes.Every : last.rest() && last.error() == null;
    }

    String text() {
        return Json.text(Json.tree(this));
    }

    static ScheduleState of(String text) {
        try {
            return Json.mapper().readValue(text, ScheduleState.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a schedule's state is not the JSON that was written", e);
        }
    }
}
