package switchboard.backend;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import switchboard.call.Caller;
import switchboard.call.ToolReply;

/** Calls that a backend makes of its own tools at set times: within the same limits as those of callers, and audited like them. */
@FunctionalInterface
public interface ScheduledCalls {
    /**
     * Calls {@code tool}.
     *
     * @param resource what the arguments name
     * @param longest time limit of the answer
     */
    ScheduledCall call(String tool, ObjectNode arguments, String resource, Caller caller, Duration longest);

    /** A call under way. */
    interface ScheduledCall {
        /** The reply; never fails. */
        Future<ToolReply> reply();

        /** Cancels the call. */
        void cancel();
    }
}
