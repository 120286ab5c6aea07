package switchboard.backend.vectordb;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import switchboard.call.Json;
import switchboard.signal.PassageSignal;
import switchboard.signal.PassageSignals;
import switchboard.store.Hit;
import switchboard.store.StoredChunk;
import switchboard.store.StoredDocument;

/**
 * Finds what tries to tell an agent what to do in the texts of stored chunks and their documents. The texts are looked through
 * once while the store keeps the chunk, however many searches find it. Thread-safe.
 */
final class ChunkSignals {
    private static final int MOST = 10_000;

    /** The most UTF-16 units of an answer that an event loop makes. */
    static final int QUICK = 64 * 1024;

    private static final Cache<StoredChunk, ReadTexts> KNOWN = Caffeine.newBuilder()
            .weakKeys()
            .maximumSize(MOST)
            .executor(Runnable::run)
            .build();

    private ChunkSignals() {}

    /**
     * The texts of a chunk.
     *
     * @param length their length together, in UTF-16 units
     */
    private record ReadTexts(List<PassageSignal> signals, int length) {}

    /** Whether an answer with {@code hits} is soon made: all texts were looked through before, and have few characters. */
    static boolean quick(List<Hit> hits) {
        int left = QUICK;
        for (Hit hit : hits) {
            ReadTexts texts = KNOWN.getIfPresent(hit.chunk());
            if (texts == null || texts.length() > left || !hit.copies().isEmpty()) {
                return false;
            }
            left -= texts.length();
        }
        return true;
    }

    /** The signals of {@code chunk}, to which those of its copies can be added. */
    static PassageSignals of(StoredChunk chunk) {
        return PassageSignals.of(KNOWN.get(chunk, ChunkSignals::read).signals());
    }

    private static ReadTexts read(StoredChunk chunk) {
        StoredDocument document = chunk.document();
        PassageSignals signals = new PassageSignals()
                .add("content", chunk.text())
                .add("title", document.title())
                .add("heading", chunk.headingPath())
                .add("source", document.source())
                .addAll("metadata", document.metadata());
        int length = chunk.text().length()
                + document.title().length()
                + chunk.headingPath().length()
                + document.source().length()
                + Json.text(document.metadata()).length();
        return new ReadTexts(signals.all(), length);
    }
}
