package switchboard.telemetry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request in the audit log: who sent it, what it was about, and how it ended. */
public sealed interface AuditEvent {
    /** Where the request came from. */
    RequestSource source();

    /**
     * The origin of a request.
     *
     * @param requestId the gateway's unique id of the request
     * @param traceId the W3C trace that it belongs to, or null
     * @param address the caller's network address, or {@code local}
     * @param view the view, {@code ""} for the default one
     */
    record RequestSource(String requestId, @Nullable String traceId, String address, String view) {}

    /**
     * An authenticated caller.
     *
     * @param team the team, {@code ""} in a gateway without teams
     * @param key the key's id or the token's subject
     */
    record AuditCaller(String team, String key) {}

    /**
     * The subject of a request.
     *
     * @param method the MCP method, or {@code other} if the gateway does not know it
     * @param tool the name of the requested tool, or null
     * @param resources resources that the arguments name: collections, indexes, libraries
     * @param arguments the tool's arguments, or null; must not be changed
     */
    record Subject(
            String method,
            @Nullable String tool,
            List<String> resources,
            @Nullable ObjectNode arguments) {
        public Subject {
            resources = List.copyOf(resources);
        }
    }

    /**
     * A request of an authenticated caller: answered, refused or cancelled.
     *
     * @param decision the decision of the access policy
     * @param outcome {@code ok}, or why it failed
     * @param code the JSON-RPC code of a protocol error, else null
     * @param duration how long it took
     * @param bytes the size of the answer
     */
    record Call(
            RequestSource source,
            AuditCaller caller,
            Subject subject,
            String decision,
            String outcome,
            @Nullable Integer code,
            Duration duration,
            long bytes)
            implements AuditEvent {}

    /**
     * A message of an authenticated caller that a rate limit refused. Its content was not read.
     *
     * @param limit the limit that is reached
     * @param calls the number of requests in it
     */
    record Limited(RequestSource source, AuditCaller caller, String limit, int calls) implements AuditEvent {}

    /**
     * A request whose credentials were missing or not valid.
     *
     * @param reason a word: {@code missing}, {@code invalid}, {@code expired}, ...
     */
    record AuthenticationFailed(RequestSource source, String reason) implements AuditEvent {}
}
