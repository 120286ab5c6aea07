package switchboard.call;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the protocol asks a backend. */
public sealed interface BackendRequest {
    /** A call of the tool the backend itself calls {@code tool}, with arguments that passed its schema. */
    record CallTool(String tool, Arguments arguments) implements BackendRequest {}

    /** The resources the caller may see, a page at a time. */
    record ListResources(@Nullable String cursor) implements BackendRequest {}

    /** The resource templates, a page at a time. */
    record ListResourceTemplates(@Nullable String cursor) implements BackendRequest {}

    /** One resource. */
    record ReadResource(String uri) implements BackendRequest {}

    /** The prompts, a page at a time. */
    record ListPrompts(@Nullable String cursor) implements BackendRequest {}

    /** One prompt, filled in. */
    record GetPrompt(String name, Map<String, String> arguments) implements BackendRequest {
        public GetPrompt {
            arguments = Map.copyOf(arguments);
        }
    }

    /** Work on the data as a whole, which only operators ask for. */
    record Maintain(Chore chore) implements BackendRequest {
        /** What is to be done; its answer is a {@link ToolReply}. */
        public sealed interface Chore {}

        /** Copies the data to a folder that does not exist, while it is served. */
        public record Backup(String target) implements Chore {}

        /** Makes the vectors that documents lack for today's model. */
        public record Reindex() implements Chore {}

        /** Reads everything and says what is damaged. */
        public record Check() implements Chore {}
    }

    /**
     * Values that complete an argument.
     *
     * @param ref the prompt's name or the resource template's URI
     * @param argument the argument's name
     * @param value what was typed so far
     * @param context arguments that are known already
     */
    record Complete(String ref, String argument, String value, Map<String, String> context) implements BackendRequest {
        public Complete {
            context = Map.copyOf(context);
        }
    }

    /** What of the backend the caller may search. */
    record ListSources() implements BackendRequest {}

    /** The passages of the source {@code source} that fit best. */
    record SearchSource(String source, SourceQuery query) implements BackendRequest {}

    /**
     * A part of a document's text.
     *
     * @param source the source it is in
     * @param document its id there
     * @param offset where the part begins, in UTF-16 units
     * @param maxChars how long it is at most
     * @param named the fields that hold its text, title and address, where they are declared
     */
    record ReadDocument(String source, String document, int offset, int maxChars, NamedFields named)
            implements BackendRequest {}
}
