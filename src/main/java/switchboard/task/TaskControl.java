package switchboard.task;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The work of a task under way. Called on any thread; must not block. */
public interface TaskControl {
    /** Cancels the work. */
    void cancel();

    /** Goes on with the client's answers, by the keys of all that it was asked. */
    void answered(ObjectNode responses);
}
