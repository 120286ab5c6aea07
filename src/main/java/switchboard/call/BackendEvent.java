package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** What a backend says while a call runs, or about itself. */
public sealed interface BackendEvent {
    /** Progress of a call: {@code progress} only grows; {@code total} is unknown when null. */
    record CallProgress(
            double progress,
            @Nullable Double total,
            @Nullable String message) implements BackendEvent {}

    /** A log line for the caller. */
    record Log(LogLevel level, @Nullable String logger, JsonNode data) implements BackendEvent {}

    /** The backend's tools, prompts or resources changed; callers should list again. */
    record ListChanged(ListType kind, @Nullable String resource) implements BackendEvent {
        /** A list changed, and nobody knows for which resource. */
        public ListChanged(ListType kind) {
            this(kind, null);
        }

        /** Which list. */
        public enum ListType {
            TOOLS,
            PROMPTS,
            RESOURCES
        }
    }
}
