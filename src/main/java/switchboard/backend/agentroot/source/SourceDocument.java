package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.convert.RawDocument;
import switchboard.store.AllowedReaders;

/** A document that a provider has found. */
public interface SourceDocument {
    /** Its path in the collection, with {@code /}. */
    String path();

    /**
     * The version of the document, if it is known without reading the content. An update skips documents with an
     * unchanged version.
     */
    default Optional<String> version() {
        return Optional.empty();
    }

    /** Who may read it, as far as that is known without its content: for content that can't be read. */
    Future<SourcePermission> permission();

    /** Reads the current content; fails with a {@link switchboard.call.ToolException} that says why not. */
    Future<RawContent> load();

    /**
     * The content of a document.
     *
     * @param bytes all of it; must not be changed
     * @param name file name or path; its extension names the format
     * @param contentType the server's {@code Content-Type}, or null
     * @param title the provider's title, or null to use that of the text
     * @param fallback the title if the text has none, or null to use the path
     * @param modified when it last changed, or null
     * @param facts additional metadata of the provider, stored with the document's user metadata; must not be changed
     * @param permission who may read it
     */
    record RawContent(
            byte[] bytes,
            String name,
            @Nullable String contentType,
            @Nullable String title,
            @Nullable String fallback,
            @Nullable Instant modified,
            ObjectNode facts,
            SourcePermission permission) {
        /** Content that does not say yet who may read it. */
        public RawContent(
                byte[] bytes,
                String name,
                @Nullable String contentType,
                @Nullable String title,
                @Nullable String fallback,
                @Nullable Instant modified,
                ObjectNode facts) {
            this(bytes, name, contentType, title, fallback, modified, facts, SourcePermission.NONE);
        }

        /** The same with another permission. */
        public RawContent with(SourcePermission other) {
            return new RawContent(bytes, name, contentType, title, fallback, modified, facts, other);
        }

        /** The same with another text. */
        public RawContent with(RawDocument other) {
            return new RawContent(
                    other.bytes(), name, other.contentType(), title, fallback, modified, facts, permission);
        }

        /** The content as it is converted. */
        public RawDocument raw() {
            return new RawDocument(bytes, name, contentType);
        }

        /**
         * This content.
         *
         * @throws ToolException if what it says of its readers can't be understood
         */
        public RawContent requireUnderstood() {
            if (permission.wrong() != null) {
                throw new ToolException(FailureKind.INVALID_ARGUMENT, "is left out: " + permission.wrong());
            }
            return this;
        }

        /** Who may read it. */
        public AllowedReaders allow() {
            return permission.readers();
        }
    }
}
