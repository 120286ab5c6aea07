package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a handler knows of its call, and how it talks back while running. Thread-safe. */
public interface CallContext {
    /** For whom. */
    Caller caller();

    /** The call's id, for logs. */
    String callId();

    /** How much time is left; zero when the deadline has passed, never negative. */
    Duration remaining();

    /** Whether the answer is no longer wanted: taken back by the caller, or the deadline passed. Long loops ask. */
    boolean cancelled();

    /** Runs {@code action} when the call is cancelled, at once if it is already; at most once, on any thread. */
    void onCancel(Runnable action);

    /** Tells the caller how far the call is; cheap, and dropped where nobody listens. */
    void progress(double progress, @Nullable Double total, @Nullable String message);

    /** Tells the caller something, at {@code level}; dropped where nobody listens. */
    void log(LogLevel level, String logger, JsonNode data);

    /** Whether anybody hears what {@link #progress} and {@link #log} say. */
    boolean heard();

    /** The least level of log events that anybody hears, or null for none. */
    @Nullable
    LogLevel logLevel();

    /** The client at the far end. */
    ClientSide client();

    /**
     * Asks the client something while the call runs, where {@link ClientSide#asking} is {@code DURING_CALL}. Waits as
     * long as the call may take; never fails.
     */
    Future<ClientAnswer> ask(ClientQuestion question);

    /** The W3C {@code traceparent} to pass on to engines, or null. */
    @Nullable
    String traceparent();

    /** What the caller's session keeps for this backend, or null when the call belongs to no session. */
    @Nullable
    SessionValues session();
}
