package switchboard.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import switchboard.convert.TokenSplitter.TokenPiece;

/**
 * Splits a text into chunks. A text that fits is one chunk. Otherwise blocks (paragraphs, tables, code, each with the
 * heading above it) are kept whole if they fit, and chunks are filled with blocks. A new section starts a new chunk
 * once the current one has some size. Every character that is not white space is in at least one chunk.
 */
public final class Chunker {
    private static final int CHARS_PER_TOKEN = 4;

    private final ToIntFunction<String> tokens;
    private final ChunkSizes sizes;

    /**
     * A chunker.
     *
     * @param tokens counts tokens like the embedding model; thread-safe
     */
    public Chunker(ToIntFunction<String> tokens, ChunkSizes sizes) {
        this.tokens = tokens;
        this.sizes = sizes;
    }

    /** About how many tokens {@code text} has, where no model counts them: one for four characters. */
    public static int estimatedTokens(String text) {
        return text.length() / CHARS_PER_TOKEN + 1;
    }

    /** The chunks of {@code document} in order; none if there is only white space. */
    public List<Chunk> chunk(ConvertedDocument document) {
        List<TokenPiece> pieces = new TokenSplitter(document, tokens, sizes).all();
        Packing packing = new Packing(document);
        pieces.forEach(packing::add);
        return packing.finish();
    }

    /** The current chunk and the finished ones. */
    private final class Packing {
        private final ConvertedDocument document;
        private final List<TextRange> done = new ArrayList<>();
        private final List<TokenPiece> current = new ArrayList<>();
        private int start;
        private int size;

        Packing(ConvertedDocument document) {
            this.document = document;
        }

        void add(TokenPiece piece) {
            if (!current.isEmpty() && (underOtherColumns(piece) || endsSection(piece))) {
                flush();
            } else if (!current.isEmpty() && size + piece.tokens() > sizes.packed()) {
                TokenPiece last = current.getLast();
                flush();
                if (!piece.opensSection()) {
                    overlap(last, piece);
                }
            }
            if (current.isEmpty() && size == 0) {
                start = piece.start();
            }
            current.add(piece);
            size += piece.tokens();
        }

        private boolean endsSection(TokenPiece piece) {
            return piece.opensSection() && size >= sizes.packed() / 4;
        }

        /** Whether the column names of the current chunk would be wrong for {@code piece}. */
        private boolean underOtherColumns(TokenPiece piece) {
            return !piece.columns().isEmpty()
                    && !piece.columns().equals(current.getLast().columns());
        }

        private void flush() {
            int end = current.getLast().end();
            // A long run of white space can be a piece; there is nothing in it to find.
            if (!document.text().substring(start, end).isBlank()) {
                TokenPiece first = current.getFirst();
                done.add(new TextRange(start, end, size, first.section(), first.columns()));
            }
            current.clear();
            size = 0;
        }

        /**
         * Starts the next chunk with the end of the last one, so that a passage that was cut is complete in one of
         * them.
         */
        private void overlap(TokenPiece last, TokenPiece next) {
            int room = Math.min(sizes.overlap(), sizes.packed() - next.tokens());
            int from = last.tailStart(document.text(), room);
            int length = from < last.end() ? tokens.applyAsInt(document.text().substring(from, last.end())) : 0;
            if (length > 0 && length <= room) {
                start = from;
                size = length;
            }
        }

        List<Chunk> finish() {
            if (!current.isEmpty()) {
                flush();
            }
            mergeSmall();
            return done.stream().map(this::chunk).toList();
        }

        /** Joins a small piece before a new section, or at the end, to the previous chunk if both fit. */
        private void mergeSmall() {
            for (int i = done.size() - 1; i > 0; i--) {
                TextRange small = done.get(i);
                TextRange before = done.get(i - 1);
                boolean sameColumns =
                        small.columns().isEmpty() || small.columns().equals(before.columns());
                if (sameColumns && small.size() < sizes.min() && before.size() + small.size() <= sizes.packed()) {
                    done.set(
                            i - 1,
                            new TextRange(
                                    before.start(),
                                    small.end(),
                                    before.size() + small.size(),
                                    before.section(),
                                    before.columns()));
                    done.remove(i);
                }
            }
        }

        private Chunk chunk(TextRange range) {
            String text = document.text();
            int from = range.start();
            int to = range.end();
            while (Character.isWhitespace(text.charAt(from))) {
                from++;
            }
            while (Character.isWhitespace(text.charAt(to - 1))) {
                to--;
            }
            return new Chunk(
                    from,
                    to,
                    range.section().path(),
                    range.section().pathAbove(from),
                    document.pagesOf(from, to),
                    range.columns());
        }
    }

    private record TextRange(int start, int end, int size, HeadingPath section, String columns) {}
}
