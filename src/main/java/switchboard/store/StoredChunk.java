package switchboard.store;

import java.util.List;
import java.util.Map;

/**
 * A stored chunk with its text.
 *
 * @param document the document that contains it
 * @param index its number among the document's chunks, from 0
 * @param range its place in the document's text
 * @param pages see {@link Chunk}
 * @param headingPath see {@link Chunk}
 * @param context see {@link Chunk}
 * @param labels see {@link Chunk}
 * @param text the column names, if it has some, and the text of the range
 */
public record StoredChunk(
        StoredDocument document,
        int index,
        Chunk.ChunkRange range,
        List<Integer> pages,
        String headingPath,
        String context,
        Map<String, String> labels,
        String text) {

    /** {@link Chunk.ChunkRange#start()}. */
    public int start() {
        return range.start();
    }

    /** {@link Chunk.ChunkRange#end()}. */
    public int end() {
        return range.end();
    }

    /** The column names at the beginning of its text, see {@link Chunk}. */
    public String columns() {
        return text.substring(0, text.length() - (end() - start()));
    }

    /** The first page it lies on, from 1; 0 for formats without pages. */
    public int firstPage() {
        return pages.isEmpty() ? 0 : pages.getFirst();
    }

    /** The last page it lies on; 0 for formats without pages. */
    public int lastPage() {
        return pages.isEmpty() ? 0 : pages.getLast();
    }

    /** The text that is searched: the context, then the chunk's own text. */
    public String searched() {
        return searchedText().whole();
    }

    /** The text that is searched and embedded, with its context apart. */
    SearchedText searchedText() {
        return new SearchedText(context, text);
    }
}
