package switchboard.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Splits a text into consecutive pieces with a maximum number of tokens: whole blocks if they fit, parts of blocks
 * otherwise.
 */
final class TokenSplitter {
    /**
     * A text with more characters than this per token is cut before its tokens are counted, because tokenizers need
     * memory for each.
     */
    private static final int CHARS_PER_TOKEN_AT_MOST = 16;

    private static final int CHARS_PER_TOKEN_USUALLY = 4;

    /**
     * A piece.
     *
     * @param opensSection whether it begins with a heading
     * @param flowing whether it is prose, so that a part of it may be repeated
     * @param columns the column names of the table that it is a part of, if it does not begin with them; may be empty
     */
    record TokenPiece(
            int start,
            int end,
            int tokens,
            HeadingPath section,
            boolean opensSection,
            boolean flowing,
            String columns) {
        /** The approximate start of its last {@code room} tokens, at a good position; its end if there is none. */
        int tailStart(String text, int room) {
            if (!flowing || room == 0 || tokens == 0) {
                return end;
            }
            int chars = (int) Math.min(end - start, (long) (end - start) * room / tokens);
            return CutPoints.firstAfter(text, end - chars, end);
        }
    }

    private final ConvertedDocument document;
    private final String text;
    private final ToIntFunction<String> counter;
    private final int whole;
    private final int max;
    private final List<TokenPiece> pieces = new ArrayList<>();
    private HeadingPath headingPath = HeadingPath.TOP;

    TokenSplitter(ConvertedDocument document, ToIntFunction<String> counter, ChunkSizes sizes) {
        this.document = document;
        this.text = document.text();
        this.counter = counter;
        this.whole = sizes.max();
        this.max = sizes.packed();
    }

    List<TokenPiece> all() {
        if (text.isBlank()) {
            return List.of();
        }
        int all = count(0, text.length());
        if (all <= whole) {
            return List.of(new TokenPiece(0, text.length(), all, firstSection(), true, true, ""));
        }
        int pending = -1;
        HeadingPath pendingSection = headingPath;
        for (BlockParser.Block block : BlockParser.of(text, document.markup())) {
            if (block.kind() == BlockParser.BlockType.HEADING) {
                headingPath = headingPath.under(block.level(), BlockParser.headingText(text, block), block.start());
                // A heading waits for what it heads; of several in a row the first begins the piece.
                pendingSection = pending < 0 ? headingPath : pendingSection;
                pending = pending < 0 ? block.start() : pending;
            } else {
                place(block, pending, pending < 0 ? headingPath : pendingSection);
                pending = -1;
            }
        }
        if (pending >= 0) {
            cut(pending, text.length(), pendingSection, true, true);
        }
        return pieces;
    }

    private HeadingPath firstSection() {
        for (BlockParser.Block block : BlockParser.of(text, document.markup())) {
            if (block.kind() == BlockParser.BlockType.HEADING) {
                return HeadingPath.TOP.under(block.level(), BlockParser.headingText(text, block), block.start());
            }
            if (!text.substring(block.start(), block.end()).isBlank()) {
                return HeadingPath.TOP;
            }
        }
        return HeadingPath.TOP;
    }

    private void place(BlockParser.Block block, int pending, HeadingPath at) {
        boolean headed = pending >= 0;
        int from = headed ? pending : block.start();
        if (block.kind() == BlockParser.BlockType.TABLE && count(from, block.end()) > max) {
            table(block, from, at, headed);
        } else {
            cut(from, block.end(), at, headed, block.kind() == BlockParser.BlockType.PROSE);
        }
    }

    private void table(BlockParser.Block block, int from, HeadingPath at, boolean headed) {
        TableSyntax syntax =
                switch (document.markup()) {
                    case MARKDOWN, PLAIN -> new TableSyntax.Pipes();
                    case CSV -> new TableSyntax.Delimited(CsvDialect.delimiter(text));
                };
        TableSplitter cut = new TableSplitter(text, syntax, range -> count(range.start(), range.end()), max);
        for (TableSplitter.Part part : cut.of(from, block.start(), block.end())) {
            boolean first = part.start() == from;
            pieces.add(new TokenPiece(
                    part.start(),
                    part.end(),
                    part.tokens(),
                    first ? at : headingPath,
                    headed && first,
                    false,
                    part.names()));
        }
    }

    /** Adds a range as one piece if it fits, otherwise as several of about the same length, cut at good positions. */
    private void cut(int start, int end, HeadingPath at, boolean opens, boolean flowing) {
        int length = count(start, end);
        if (length <= max || end - start <= 1) {
            pieces.add(new TokenPiece(start, end, length, at, opens, flowing, ""));
            return;
        }
        int parts = Math.max(2, (int) Math.ceil(length / (max * 0.9)));
        int from = start;
        for (int part = 1; part <= parts && from < end; part++) {
            int aim = start + (int) ((long) (end - start) * part / parts);
            int to = part == parts ? end : CutPoints.near(text, aim, (end - start) / parts / 3, from + 1, end);
            cut(from, to, from == start ? at : headingPath, opens && from == start, flowing);
            from = to;
        }
    }

    private int count(int start, int end) {
        if (end - start > (long) whole * CHARS_PER_TOKEN_AT_MOST) {
            return Math.max(whole + 1, (end - start) / CHARS_PER_TOKEN_USUALLY);
        }
        return counter.applyAsInt(text.substring(start, end));
    }
}
