package switchboard.store;

import java.util.Map;

/**
 * A stored chunk with its text.
 *
 * @param document the document it is a range of
 * @param index its place among the document's chunks, from 0
 * @param start first UTF-16 unit in the document's text
 * @param end one past the last
 * @param page see {@link Chunk}
 * @param headingPath see {@link Chunk}
 * @param context see {@link Chunk}
 * @param labels see {@link Chunk}
 * @param text the range itself
 */
public record StoredChunk(
        StoredDocument document,
        int index,
        int start,
        int end,
        int page,
        String headingPath,
        String context,
        Map<String, String> labels,
        String text) {

    /** What is searched: the context, then the text. */
    public String searched() {
        return Chunk.searched(context, text);
    }
}
