package switchboard.protocol;

import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.call.Caller;

/** Tells which backends have resources, prompts or completions. Thread-safe; called on event loops, so it must not block. */
public interface BackendCapabilities {
    /** No backend has more than tools. */
    BackendCapabilities NONE = new BackendCapabilities() {
        @Override
        public boolean resources(String backendId) {
            return false;
        }

        @Override
        public boolean owns(String backendId, String uri) {
            return false;
        }

        @Override
        public boolean prompts(String backendId) {
            return false;
        }
    };

    /** Whether the backend has MCP resources. */
    boolean resources(String backendId);

    /** Whether {@code uri} could be a resource of the backend. */
    boolean owns(String backendId, String uri);

    /** The resource that {@code uri} belongs to, by its name in grants and views, if it can be determined. */
    default Optional<String> resource(String backendId, String uri) {
        return Optional.empty();
    }

    /** Whether the backend has MCP prompts. */
    boolean prompts(String backendId);

    /** Whether the backend is another MCP server, whose names are not known before it is asked. */
    default boolean relayed(String backendId) {
        return false;
    }

    /** The maximum number of resources of each other server that {@link #watch} takes, by its id. */
    default Map<String, Integer> watchable() {
        return Map.of();
    }

    /** Whether {@link #watch} may be asked for {@code uri} on behalf of {@code caller}. */
    default boolean watchable(String backendId, String uri, Caller caller) {
        return false;
    }

    /** Has another server announce changes of these resources, and of no others. Completes when it was asked. */
    default Future<Void> watch(String backendId, Set<String> uris) {
        return Future.succeededFuture();
    }

    /** A note for agents while a part of the backend can't be used. */
    default Optional<String> trouble(String backendId) {
        return Optional.empty();
    }
}
