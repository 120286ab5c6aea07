package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.SessionValues;

/** A change of a session's state, which is made to the shared one as well: other nodes may have changed other parts of it. */
sealed interface SessionChange {
    /** Makes the change to fields of {@link SessionStateJson}. */
    void apply(ObjectNode state);

    /** The level of log messages. */
    record Level(LogLevel level) implements SessionChange {
        @Override
        public void apply(ObjectNode state) {
            state.put(SessionStateJson.LOG_LEVEL, level.word());
        }
    }

    /** A resource is subscribed to, or no longer. */
    record Subscription(String uri, boolean subscribed) implements SessionChange {
        @Override
        public void apply(ObjectNode state) {
            ArrayNode others = Json.array();
            for (JsonNode one : state.path(SessionStateJson.SUBSCRIBED)) {
                if (!one.asText().equals(uri)) {
                    others.add(one);
                }
            }
            if (subscribed && others.size() < LegacySession.MOST_SUBSCRIPTIONS) {
                others.add(uri);
            }
            state.set(SessionStateJson.SUBSCRIBED, others);
        }
    }

    /** Values for a backend. */
    record Values(String backend, SessionValues values) implements SessionChange {
        @Override
        public void apply(ObjectNode state) {
            ObjectNode all = state.path(SessionStateJson.VALUES) instanceof ObjectNode present
                    ? present
                    : state.putObject(SessionStateJson.VALUES);
            ObjectNode ofBackend = all.path(backend) instanceof ObjectNode present ? present : all.putObject(backend);
            values.byName().forEach(ofBackend::put);
        }
    }
}
