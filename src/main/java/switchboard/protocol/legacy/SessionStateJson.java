package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.LogLevel;
import switchboard.call.SessionValues;
import switchboard.protocol.ProtocolVersion;

/** What a session has agreed on and keeps, as fields of a JSON object. */
final class SessionStateJson {
    static final String LOG_LEVEL = "logLevel";
    static final String SUBSCRIBED = "subscribed";
    static final String VALUES = "values";
    private static final String VERSION = "version";
    private static final String CAPABILITIES = "capabilities";

    private SessionStateJson() {}

    /** Adds the fields of {@code state} to {@code json}. */
    static ObjectNode write(LegacySession state, ObjectNode json) {
        json.put(VERSION, state.version().text()).set(CAPABILITIES, state.capabilities());
        LogLevel level = state.logLevel();
        if (level != null) {
            json.put(LOG_LEVEL, level.word());
        }
        state.subscribed().stream().sorted().forEach(json.withArray(SUBSCRIBED)::add);
        ObjectNode values = json.putObject(VALUES);
        state.kept().entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(kept -> {
            ObjectNode ofBackend = values.putObject(kept.getKey());
            kept.getValue().byName().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(value -> ofBackend.put(value.getKey(), value.getValue()));
        });
        return json;
    }

    /**
     * A session with the fields of {@link #write}.
     *
     * @throws IllegalArgumentException if they can't be read
     */
    static LegacySession read(JsonNode json, ResumeLimits resume) {
        ProtocolVersion version = ProtocolVersion.of(text(json, VERSION))
                .filter(known -> !known.modern())
                .orElseThrow(() -> new IllegalArgumentException("a session of an unknown version"));
        LegacySession state = LegacySession.restored(version, json.path(CAPABILITIES), resume);
        var _ = refresh(state, json);
        return state;
    }

    /** Gives {@code state} the level, subscriptions and values in {@code json}; returns what {@link LegacySession#refresh} does. */
    static boolean refresh(LegacySession state, JsonNode json) {
        @Nullable LogLevel level = LogLevel.of(json.path(LOG_LEVEL).asText()).orElse(null);
        Set<String> subscribed = new HashSet<>();
        json.path(SUBSCRIBED).forEach(uri -> subscribed.add(uri.asText()));
        Map<String, SessionValues> kept = new HashMap<>();
        json.path(VALUES).properties().forEach(backend -> {
            Map<String, String> values = new HashMap<>();
            backend.getValue()
                    .properties()
                    .forEach(
                            value -> values.put(value.getKey(), value.getValue().asText()));
            kept.put(backend.getKey(), new SessionValues(values));
        });
        return state.refresh(level, subscribed, kept);
    }

    /** The text in {@code field}, which must be there. */
    static String text(JsonNode json, String field) {
        JsonNode text = json.path(field);
        if (!text.isTextual()) {
            throw new IllegalArgumentException("a session without \"" + field + "\"");
        }
        return text.asText();
    }
}
