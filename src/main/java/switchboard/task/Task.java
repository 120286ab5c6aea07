package switchboard.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import switchboard.call.Json;

/**
 * One task as it is now; immutable.
 *
 * @param id its id, which can't be guessed
 * @param call the call that it stands for
 * @param created when it began
 * @param updated when its state changed last
 * @param ttl how long it is kept, from its beginning
 */
public record Task(String id, TaskCall call, Instant created, Instant updated, Duration ttl, TaskState state) {
    /** How often clients should ask for it, in milliseconds. */
    public static final int POLL_INTERVAL_MS = 1000;

    public Task {
        created = created.truncatedTo(ChronoUnit.MILLIS);
        updated = updated.truncatedTo(ChronoUnit.MILLIS);
    }

    /** The same in another state since {@code now}. */
    Task in(TaskState next, Instant now) {
        return new Task(id, call, created, now, ttl, next);
    }

    /** The same without the detail of its state, which is in its file. */
    Task brief() {
        return new Task(id, call, created, updated, ttl, new TaskState(state.status(), state.message(), null));
    }

    /** Whether it has ended: completed, failed or cancelled, so that its status does not change any more. */
    public boolean over() {
        return state.status().terminal();
    }

    boolean expired(Instant now) {
        return !now.isBefore(created.plus(ttl));
    }

    /** The fields that every answer about it has. */
    public ObjectNode fields() {
        ObjectNode fields = Json.object()
                .put("taskId", id)
                .put("status", state.status().word())
                .put("createdAt", created.toString())
                .put("lastUpdatedAt", updated.toString())
                .put("ttlMs", ttl.toMillis())
                .put("pollIntervalMs", POLL_INTERVAL_MS);
        if (state.message() != null) {
            fields.put("statusMessage", state.message());
        }
        return fields;
    }

    /** The same with the result, the error or the questions to the client. */
    public ObjectNode detailed() {
        ObjectNode fields = fields();
        state.status().detail().ifPresent(name -> {
            if (state.detail() != null) {
                fields.set(name, state.detail());
            }
        });
        return fields;
    }
}
