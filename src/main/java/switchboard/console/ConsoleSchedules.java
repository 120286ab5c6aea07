package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.auth.Principal;

/** The schedules of collections, as people see and change them. Failures are {@link switchboard.call.ToolException}. */
public interface ConsoleSchedules {
    /**
     * Who wants to change a schedule.
     *
     * @param address the network address, for the audit log
     */
    record ScheduleEditor(Principal person, String address) {}

    /**
     * A schedule by what it updates.
     *
     * @param backend the backend's id
     */
    record ScheduledCollection(String backend, String name) {}

    /** The schedules that {@code person} may see. */
    Future<ObjectNode> list(Principal person);

    /** Sets a schedule, and returns it. */
    Future<ObjectNode> set(ScheduleEditor editor, ScheduledCollection collection, ObjectNode schedule);

    /** Removes a schedule, and says whether there was one. */
    Future<ObjectNode> remove(ScheduleEditor editor, ScheduledCollection collection);
}
