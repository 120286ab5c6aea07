package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The context of a call for its handler. Thread-safe. */
public interface CallContext extends Lifetime {
    /** The caller. */
    Caller caller();

    /** The call's id, for logs. */
    String callId();

    /** Reports progress to the caller. Cheap; ignored if it is not wanted. */
    void progress(double progress, @Nullable Double total, @Nullable String message);

    /** Sends a log event to the caller. Ignored if it is not wanted. */
    void log(LogLevel level, String logger, JsonNode data);

    /** Whether progress and log events are wanted. */
    boolean wantsEvents();

    /** Whether the search log wants to know {@linkplain GivenDocuments which documents} the answer gives. */
    default boolean wantsGiven() {
        return false;
    }

    /** The lowest level of wanted log events, or null for none. */
    @Nullable
    LogLevel logLevel();

    /** The MCP client of the call. */
    CallingClient client();

    /**
     * Asks the client while the call runs, if it is {@linkplain CallingClient#askable askable}. Waits at most as long
     * as the call may take; never fails.
     */
    Future<ClientAnswer> ask(ClientQuestion question);

    /**
     * How long a request for this call may take altogether: longer than {@link #remaining} if the client brings answers with
     * later requests.
     */
    default Duration longest() {
        return remaining();
    }

    /**
     * Whether the call waits for its client's next request with questions that are open. So whatever a server asks meanwhile
     * is most likely for another call.
     */
    default boolean waitsForClient() {
        return false;
    }

    /** Values that the caller's session keeps for this backend, or null without a session. */
    @Nullable
    SessionValues session();
}
