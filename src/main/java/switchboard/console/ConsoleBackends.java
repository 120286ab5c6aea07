package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.auth.Principal;

/** The backends as the console shows them. */
public interface ConsoleBackends {
    /** The backends that {@code person} may use, with their health. */
    ObjectNode shown(Principal person);

    /** The schedules of their collections. */
    ConsoleSchedules schedules();
}
