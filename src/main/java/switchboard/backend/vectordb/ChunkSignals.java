package switchboard.backend.vectordb;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import switchboard.signal.PassageSignal;
import switchboard.signal.PassageSignals;
import switchboard.store.StoredChunk;

/**
 * What tries to tell an agent what to do in the texts of a stored chunk and its document. They are read once while the store keeps the
 * chunk, however many searches find it. Thread-safe.
 */
final class ChunkSignals {
    private static final int MOST = 10_000;

    private static final Cache<StoredChunk, List<PassageSignal>> KNOWN = Caffeine.newBuilder()
            .weakKeys()
            .maximumSize(MOST)
            .executor(Runnable::run)
            .build();

    private ChunkSignals() {}

    /** Whether the texts of {@code chunk} were read before, so that {@link #of} takes no time. */
    static boolean known(StoredChunk chunk) {
        return KNOWN.getIfPresent(chunk) != null;
    }

    /** The signals of {@code chunk}, to which those of its copies can be added. */
    static PassageSignals of(StoredChunk chunk) {
        return PassageSignals.of(KNOWN.get(chunk, ChunkSignals::read));
    }

    private static List<PassageSignal> read(StoredChunk chunk) {
        return new PassageSignals()
                .add("content", chunk.text())
                .add("title", chunk.document().title())
                .add("heading", chunk.headingPath())
                .add("source", chunk.document().source())
                .addAll("metadata", chunk.document().metadata())
                .all();
    }
}
