package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A document that a provider found. */
public interface Item {
    /** Its path in the collection, with {@code /}. */
    String path();

    /** Its content now; fails with a {@link switchboard.call.ToolException} that says why it can't be had. */
    Future<Content> load();

    /**
     * A document's content.
     *
     * @param bytes all of it; must not be changed
     * @param name file name or path, whose extension tells the format
     * @param contentType what a server says it is, or null
     * @param title what the provider calls it, or null to look into the text
     * @param modified when it changed last, or null
     * @param facts what the provider knows besides, kept as user metadata of a new document
     */
    record Content(
            byte[] bytes,
            String name,
            @Nullable String contentType,
            @Nullable String title,
            @Nullable Instant modified,
            Map<String, String> facts) {
        public Content {
            facts = Map.copyOf(facts);
        }
    }
}
