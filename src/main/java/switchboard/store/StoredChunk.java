package switchboard.store;

import java.util.Map;

/**
 * A stored chunk with its text.
 *
 * @param document the document that contains it
 * @param index its number among the document's chunks, from 0
 * @param range its place in the document's text
 * @param page see {@link Chunk}
 * @param headingPath see {@link Chunk}
 * @param context see {@link Chunk}
 * @param labels see {@link Chunk}
 * @param text the text of the range
 */
public record StoredChunk(
        StoredDocument document,
        int index,
        ChunkRange range,
        int page,
        String headingPath,
        String context,
        Map<String, String> labels,
        String text) {

    /**
     * A range of a text.
     *
     * @param start first UTF-16 unit
     * @param end one past the last unit
     */
    public record ChunkRange(int start, int end) {}

    /** {@link ChunkRange#start()}. */
    public int start() {
        return range.start();
    }

    /** {@link ChunkRange#end()}. */
    public int end() {
        return range.end();
    }

    /** The text that is searched: the context, then the chunk's own text. */
    public String searched() {
        return Chunk.searched(context, text);
    }
}
