package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A document that a provider found. */
public interface SourceDocument {
    /** Its path in the collection, with {@code /}. */
    String path();

    /**
     * What tells this version of it from others without having its content; empty where nothing does. An update leaves
     * out what has the version that it had before.
     */
    default Optional<String> version() {
        return Optional.empty();
    }

    /** Its content now; fails with a {@link switchboard.call.ToolException} that says why it can't be had. */
    Future<RawContent> load();

    /**
     * A document's content.
     *
     * @param bytes all of it; must not be changed
     * @param name file name or path, whose extension tells the format
     * @param contentType what a server says it is, or null
     * @param title what the provider calls it, or null to look into the text
     * @param fallback what it is called where its text has no title either, or null for the name of its path
     * @param modified when it changed last, or null
     * @param facts what the provider knows besides, kept with the document's user metadata; must not be changed
     */
    record RawContent(
            byte[] bytes,
            String name,
            @Nullable String contentType,
            @Nullable String title,
            @Nullable String fallback,
            @Nullable Instant modified,
            ObjectNode facts) {}
}
