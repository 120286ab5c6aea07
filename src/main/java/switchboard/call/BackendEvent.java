package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An event of a running call, or of a backend itself. */
public sealed interface BackendEvent {
    /** Progress of a call. {@code progress} never decreases; {@code total} is null if it is not known. */
    record CallProgress(
            double progress,
            @Nullable Double total,
            @Nullable String message) implements BackendEvent {}

    /** A log line for the caller. */
    record Log(LogLevel level, @Nullable String logger, JsonNode data) implements BackendEvent {}

    /**
     * The backend's tools, prompts or resources have changed, so callers should list them again.
     *
     * @param resource what has changed, such as a collection; null for nothing in particular
     * @param audience who may know of it, before or after the change; it throws a {@link ToolException} for a caller who lacks
     *     a claim, and must not block. Null for everybody
     */
    record ListChanged(
            ListType kind,
            @Nullable String resource,
            @Nullable Predicate<Caller> audience) implements BackendEvent {
        /** A list has changed, for no particular resource. */
        public ListChanged(ListType kind) {
            this(kind, null, null);
        }

        /** The kind of list. */
        public enum ListType {
            TOOLS,
            PROMPTS,
            RESOURCES
        }
    }

    /**
     * Documents of a source of the backend, such as a library, have been stored, changed or removed.
     *
     * @param owner whose source of that name, as {@link Caller#owner()} has it
     */
    record DocumentsChanged(String source, String owner) implements BackendEvent {}

    /** The resources {@code uris} of another server, or parts of them, have changed. */
    record ResourcesUpdated(Set<String> uris) implements BackendEvent {}
}
