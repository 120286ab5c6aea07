package switchboard.backend;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import switchboard.call.Caller;

/** What a backend does at set times by itself. Only the process that owns the backend's data does it. */
public interface ScheduleProvider {
    /** From now on what is due is done, by {@code calls}, while the backend is started. */
    void begin(ScheduledCalls calls);

    /** Nothing is begun any more, and what is under way is cancelled. Completes when it has ended, or soon. */
    Future<Void> halt();

    /** The schedules of what the caller may see. Fails with a {@link switchboard.call.ToolException} if another process has them. */
    Future<List<ObjectNode>> list(Caller caller);

    /**
     * Sets the schedule of {@code collection}, and returns it.
     *
     * @param by who sets it, as is shown
     * @return fails with a {@link switchboard.call.ToolException} that says what is wrong
     */
    Future<ObjectNode> set(Caller caller, String by, String collection, ObjectNode schedule);

    /** Removes a schedule that was {@linkplain #set set}; false if there was none. */
    Future<Boolean> remove(Caller caller, String collection);
}
