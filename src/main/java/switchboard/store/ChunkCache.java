package switchboard.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.time.Duration;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;

/**
 * Chunks that were read lately. A segment's stored forms never change, and a caller asks only for chunks that it may see. Of all stores,
 * because a segment's key is the only one of its kind. Thread-safe.
 */
final class ChunkCache {
    private static final int MOST_BYTES = 8 << 20;

    /** Nobody asks for those of a segment that is gone. */
    private static final Duration UNUSED = Duration.ofMinutes(1);

    private static final Cache<ChunkKey, ReadChunk> CHUNKS = Caffeine.newBuilder()
            .maximumWeight(MOST_BYTES)
            .weigher((ChunkKey key, ReadChunk read) -> read.bytes())
            .expireAfterAccess(UNUSED)
            .build();

    private ChunkCache() {}

    /**
     * Where a chunk is stored.
     *
     * @param segment the key of the segment
     * @param number the chunk's Lucene document number in the segment
     */
    private record ChunkKey(Object segment, Namespace namespace, int number) {}

    /**
     * A chunk.
     *
     * @param bytes about what it takes in memory
     */
    record ReadChunk(StoredChunk chunk, int bytes) {}

    /** Reads a chunk from the index. */
    interface ChunkReading {
        ReadChunk read() throws IOException;
    }

    /** The chunk with this number in {@code leaf}, which is read if it is not known. */
    static StoredChunk get(LeafReaderContext leaf, Namespace namespace, int number, ChunkReading reading)
            throws IOException {
        IndexReader.CacheHelper helper = FilterLeafReader.unwrap(leaf.reader()).getCoreCacheHelper();
        if (helper == null) {
            return reading.read().chunk();
        }
        ChunkKey key = new ChunkKey(helper.getKey(), namespace, number);
        ReadChunk known = CHUNKS.getIfPresent(key);
        if (known == null) {
            known = reading.read();
            CHUNKS.put(key, known);
        }
        return known.chunk();
    }
}
