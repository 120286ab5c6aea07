package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.auth.Principal;

/** The schedules of collections, as people see and change them. Failures are {@link switchboard.call.ToolException}. */
public interface ConsoleSchedules {
    /**
     * A schedule by what it updates.
     *
     * @param backend the backend's id
     */
    record ScheduledCollection(String backend, String name) {}

    /** The schedules that {@code person} may see. */
    Future<ObjectNode> list(Principal person);

    /** Sets a schedule, and returns it. */
    Future<ObjectNode> set(ConsoleEditor editor, ScheduledCollection collection, ObjectNode schedule);

    /** Removes a schedule, and says whether there was one. */
    Future<ObjectNode> remove(ConsoleEditor editor, ScheduledCollection collection);
}
