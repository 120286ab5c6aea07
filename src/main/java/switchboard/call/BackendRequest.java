package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request of the protocol to a backend. */
public sealed interface BackendRequest {
    /** A call of the tool {@code tool} (its name at the backend), with arguments that are valid for its schema. */
    record CallTool(String tool, Arguments arguments) implements BackendRequest {}

    /** Lists the resources that the caller may see, page by page. */
    record ListResources(@Nullable String cursor) implements BackendRequest {}

    /** Lists the resource templates, page by page. */
    record ListResourceTemplates(@Nullable String cursor) implements BackendRequest {}

    /** Reads one resource. */
    record ReadResource(String uri) implements BackendRequest {}

    /** Lists the prompts, page by page. */
    record ListPrompts(@Nullable String cursor) implements BackendRequest {}

    /** Gets one prompt with its arguments filled in. */
    record GetPrompt(String name, Map<String, String> arguments) implements BackendRequest {
        public GetPrompt {
            arguments = Map.copyOf(arguments);
        }
    }

    /**
     * Asks another server for one of its tasks, or tells it something about it.
     *
     * @param taskId the task's id at the server
     * @param inputResponses the client's answers for an update, else null; must not be changed
     */
    record RelayTask(
            TaskRequest kind, String taskId, @Nullable ObjectNode inputResponses) implements BackendRequest {}

    /** Maintenance of the backend's data, requested by operators only. */
    record Maintain(Chore chore) implements BackendRequest {
        /** The maintenance task. Its reply is a {@link ToolReply}. */
        public sealed interface Chore {}

        /** Copies the data to a folder that does not exist, while it is in use. */
        public record Backup(String target) implements Chore {}

        /** Computes missing vectors with the configured model. */
        public record Reindex() implements Chore {}

        /** Reads everything and reports damage. */
        public record Check() implements Chore {}
    }

    /**
     * Completes an argument.
     *
     * @param ref the prompt's name or the resource template's URI
     * @param argument the argument's name
     * @param value the text typed so far
     * @param context arguments that are known already
     */
    record Complete(String ref, String argument, String value, Map<String, String> context) implements BackendRequest {
        public Complete {
            context = Map.copyOf(context);
        }
    }

    /** A request about the sources that can be searched. */
    sealed interface SourceRequest extends BackendRequest {}

    /**
     * Lists the sources that the caller may search.
     *
     * @param fields which fields they name that filters may use
     */
    record ListSources(FilterFields fields) implements SourceRequest {}

    /** Fields that filters may use. */
    enum FilterFields {
        /** Those that are known without opening a source, without examples. */
        KNOWN,
        /** Also those that differ from document to document, with examples, which takes a read of each source. */
        ALL
    }

    /** Searches the source {@code source} for passages. */
    record SearchSource(String source, SourceQuery query) implements SourceRequest {}

    /**
     * Lists documents of a source that the caller may see, in an order that stays while nothing is written.
     *
     * @param offset how many to skip, from 0
     * @param limit maximum number of documents, 1 to 1,000
     */
    record ListDocuments(String source, int offset, int limit) implements SourceRequest {}

    /**
     * Reads a part of a document's text.
     *
     * @param source its source
     * @param document its id there
     * @param offset start of the part in UTF-16 units
     * @param maxChars maximum length
     * @param named declared fields for text, title and URL
     * @param by what {@code document} is
     */
    record ReadDocument(String source, String document, int offset, int maxChars, NamedFields named, DocumentName by)
            implements SourceRequest {
        /** What names a document. */
        public enum DocumentName {
            /** Its id, as hits of searches have it. */
            ID,
            /** The name that all its versions have; its id in a source where all versions have the same. */
            LASTING
        }

        /** Reads a document by its id. */
        public ReadDocument(String source, String document, int offset, int maxChars, NamedFields named) {
            this(source, document, offset, maxChars, named, DocumentName.ID);
        }

        /**
         * The code of the failure if the caller can only search the source. It does not tell whether searches show the document.
         */
        public static final String ONLY_SEARCHED = "only_searched";
    }
}
