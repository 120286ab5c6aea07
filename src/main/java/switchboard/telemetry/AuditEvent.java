package switchboard.telemetry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the audit log says of a request: whose it was, what it was about, and what came of it. */
public sealed interface AuditEvent {
    /** Whose it was. */
    RequestSource source();

    /**
     * Where a request came from.
     *
     * @param requestId the gateway's own name for it, unique
     * @param traceId the W3C trace it belongs to, or null
     * @param address the caller's network address, or {@code local}
     * @param view the view, {@code ""} for the default one
     */
    record RequestSource(String requestId, @Nullable String traceId, String address, String view) {}

    /**
     * Who was let in.
     *
     * @param team the team, {@code ""} in a gateway without teams
     * @param key the key's id or the token's subject
     */
    record AuditCaller(String team, String key) {}

    /**
     * What a request was about.
     *
     * @param method the MCP method, if it is one that the gateway knows, else {@code other}
     * @param tool the name of the tool that was asked for, or null
     * @param resources what the arguments name: collections, indexes, libraries
     * @param arguments of the tool, or null; must not be changed
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
     * A request of a known caller, answered, refused or given up.
     *
     * @param decision what the gateway's rules said
     * @param outcome {@code ok}, or why it failed
     * @param code the JSON-RPC code of an error of the protocol, else null
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
     * A message of a known caller for which a rate had no room; nothing in it was looked at.
     *
     * @param limit the limit that is reached
     * @param calls how many requests it has
     */
    record Limited(RequestSource source, AuditCaller caller, String limit, int calls) implements AuditEvent {}

    /**
     * A request whose credentials were missing or no good.
     *
     * @param reason a word: {@code missing}, {@code invalid}, {@code expired}, ...
     */
    record AuthenticationFailed(RequestSource source, String reason) implements AuditEvent {}
}
