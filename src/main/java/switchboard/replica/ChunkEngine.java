package switchboard.replica;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import switchboard.call.Health;
import switchboard.store.EngineChunk;
import switchboard.store.EngineSearch.EngineFindings;
import switchboard.store.EngineSearch.EngineQuestion;

/**
 * An engine that keeps the chunks of libraries that are too large for one machine, each library in a collection of its own. Failures are
 * {@link switchboard.call.ToolException}. Thread-safe; nothing here blocks.
 */
public interface ChunkEngine {
    /**
     * Writes all chunks of a document. They are found once this completes. Those that are there with the same number are replaced.
     *
     * @param library the incarnation of its library, whose collection is made if it is missing
     */
    Future<Void> write(UUID library, String document, List<EngineChunk> chunks);

    /** Removes all chunks of a document, if there are any. */
    Future<Void> remove(UUID library, String document);

    /** Removes the collection of a library, if there is one. */
    Future<Void> drop(UUID library);

    /**
     * What was found.
     *
     * @param findings the candidates, and in how many chunks each word is
     * @param more whether there may be more candidates
     */
    record EngineFound(EngineFindings findings, boolean more) {}

    /**
     * Finds candidates: the best by words, and the nearest to each vector of the question.
     *
     * @param depth maximum number of each
     */
    Future<EngineFound> find(UUID library, EngineQuestion question, int depth);

    /** How many chunks each of {@code documents} has. */
    Future<Map<String, Long>> counts(UUID library, List<String> documents);

    /** Whether it answers. */
    Future<Health> health();

    /** Closes its connections. */
    Future<Void> close();
}
