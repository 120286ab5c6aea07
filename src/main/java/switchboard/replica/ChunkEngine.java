package switchboard.replica;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import switchboard.call.Health;
import switchboard.call.ToolException;
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

    /** Removes all chunks of documents, if there are any. */
    Future<Void> remove(UUID library, List<String> documents);

    /**
     * Documents that have chunks.
     *
     * @param documents their ids
     * @param last where the next ones begin; empty if there are no more
     */
    record DocumentsPage(Set<String> documents, String last) {}

    /** Some of the documents that have chunks; {@code after} is where an earlier page ended, empty for the first. */
    Future<DocumentsPage> documents(UUID library, String after);

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

    /** The code of a failure because the engine does not have the collection of a library. */
    String MISSING = "chunks_missing";

    /** Whether something failed because the engine does not have the collection of the library. */
    static boolean missing(Throwable failure) {
        return failure instanceof ToolException tool
                && MISSING.equals(tool.failed().code());
    }

    /** Whether {@link #find} failed because the answer would be too large: asking for less may help. */
    boolean tooLarge(Throwable failure);

    /** Whether it answers a request with the configured credential; never fails, and takes a few seconds at most. */
    Future<Health> health();

    /** Closes its connections. */
    Future<Void> close();
}
