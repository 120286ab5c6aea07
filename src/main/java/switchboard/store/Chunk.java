package switchboard.store;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.embed.Embedder;

/**
 * A range of a document's text that is searched on its own.
 *
 * @param range its place in the document's text
 * @param pages the pages it lies on, from 1, ascending; empty for formats without pages
 * @param headingPath the headings above it, outermost first, for display ({@code "Install > Linux"}); may be empty
 * @param context text that is searched as if it stood before the chunk (title, headings), but not shown; may be empty
 * @param columns lines that are searched and shown before its own text: the column names of the table that it begins inside
 *     of; may be empty
 * @param foundBy additional words for keyword search only; a repeated word counts more; may be empty
 * @param labels properties of the chunk (kind, breadcrumb, lines, hash); filters name them {@code label.<key>}
 * @param vector its vector, or null
 */
public record Chunk(
        ChunkRange range,
        List<Integer> pages,
        String headingPath,
        String context,
        String columns,
        String foundBy,
        Map<String, String> labels,
        @Nullable ChunkVector vector) {

    /**
     * A chunk's vector.
     *
     * @param model the {@link switchboard.embed.Embedder#model model} that made it; null if it is that of the document
     * @param values a unit vector; must not be changed
     * @param sentences those of its sentences, if queries are compared with these; of the same length, must not be changed either
     */
    public record ChunkVector(@Nullable String model, float[] values, List<float[]> sentences) {
        public ChunkVector {
            sentences = List.copyOf(sentences);
        }

        /** One of {@code model} from the vectors of all that it {@linkplain SearchedText#embedded embeds} of a chunk. */
        public static ChunkVector of(String model, List<float[]> embedded) {
            return new ChunkVector(model, embedded.getFirst(), embedded.subList(1, embedded.size()));
        }

        /** The cosine of a query with the chunk, or with its nearest sentence. */
        public double cosine(float[] query) {
            return Stream.concat(Stream.of(values), sentences.stream())
                    .mapToDouble(vector -> Embedder.cosine(query, vector))
                    .max()
                    .orElseThrow();
        }
    }

    /**
     * A range of a text.
     *
     * @param start first UTF-16 unit
     * @param end one past the last
     */
    public record ChunkRange(int start, int end) {
        public ChunkRange {
            if (start < 0 || end < start) {
                throw new IllegalArgumentException("Not a range: " + start + " to " + end + ".");
            }
        }
    }

    public Chunk {
        labels = Map.copyOf(labels);
        pages = List.copyOf(pages);
        for (int i = 0; i < pages.size(); i++) {
            if (pages.get(i) <= (i == 0 ? 0 : pages.get(i - 1))) {
                throw new IllegalArgumentException("Pages ascend, from 1; these are " + pages + ".");
            }
        }
    }

    /** A chunk with only a range. */
    public static Chunk of(int start, int end) {
        return new Chunk(new ChunkRange(start, end), List.of(), "", "", "", "", Map.of(), null);
    }

    /** {@link ChunkRange#start()}. */
    public int start() {
        return range.start();
    }

    /** {@link ChunkRange#end()}. */
    public int end() {
        return range.end();
    }

    /** Its text in the text of its document, below the column names. */
    public String in(String text) {
        return columns + text.substring(start(), end());
    }

    /** The text that keyword and vector search use: the context, then the chunk's own text. */
    public static String searched(String context, String text) {
        return context.isEmpty() ? text : context + "\n" + text;
    }

    /** The same on these pages. */
    public Chunk onPages(List<Integer> others) {
        return new Chunk(range, others, headingPath, context, columns, foundBy, labels, vector);
    }

    /** The same below these headings, searched with {@code others} before it. */
    public Chunk below(String headings, String others) {
        return new Chunk(range, pages, headings, others, columns, foundBy, labels, vector);
    }

    /** The same with these column names. */
    public Chunk withColumns(String names) {
        return new Chunk(range, pages, headingPath, context, names, foundBy, labels, vector);
    }

    /** The same with these labels. */
    public Chunk withLabels(Map<String, String> others) {
        return new Chunk(range, pages, headingPath, context, columns, foundBy, others, vector);
    }

    /** The same with a vector of the document's only model. */
    public Chunk withVector(float[] unit) {
        return withVector(new ChunkVector(null, unit, List.of()));
    }

    /** The same with a vector. */
    public Chunk withVector(ChunkVector other) {
        return new Chunk(range, pages, headingPath, context, columns, foundBy, labels, other);
    }

    /** The same chunk with other additional words for keyword search. */
    public Chunk withFoundBy(String words) {
        return new Chunk(range, pages, headingPath, context, columns, words, labels, vector);
    }
}
