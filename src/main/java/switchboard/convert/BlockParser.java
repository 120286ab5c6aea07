package switchboard.convert;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a text into blocks: headings, fenced code, tables, and everything else up to a blank line. One pass over the
 * lines. Every character belongs to exactly one block, blank lines to the one before.
 */
final class BlockParser {
    private static final int MAX_LEVEL = 6;
    private static final Pattern MARKS_BEHIND = Pattern.compile("\\s+#+\\s*$");

    /** The type of a block. */
    enum BlockType {
        HEADING,
        CODE,
        TABLE,
        PROSE
    }

    /**
     * A block.
     *
     * @param level 1 to 6 for a heading, otherwise 0
     */
    record Block(BlockType kind, int level, int start, int end) {}

    private final String text;
    private final ConvertedDocument.Markup markup;
    private final List<Block> blocks = new ArrayList<>();
    private int start;
    private BlockType kind = BlockType.PROSE;
    private int level;
    private boolean open;
    private @Nullable String fence;

    private BlockParser(String text, ConvertedDocument.Markup markup) {
        this.text = text;
        this.markup = markup;
    }

    /** The blocks of {@code text}. */
    static List<Block> of(String text, ConvertedDocument.Markup markup) {
        BlockParser outline = new BlockParser(text, markup);
        int from = 0;
        while (from < text.length()) {
            int newline = text.indexOf('\n', from);
            int to = newline < 0 ? text.length() : newline + 1;
            outline.line(from, to);
            from = to;
        }
        outline.close(text.length());
        return List.copyOf(outline.blocks);
    }

    /** The text of the first heading of a Markdown text, or null. */
    static @Nullable String firstHeading(String text) {
        return of(text, ConvertedDocument.Markup.MARKDOWN).stream()
                .filter(block -> block.kind() == BlockType.HEADING)
                .map(block -> headingText(text, block))
                .filter(heading -> !heading.isEmpty())
                .findFirst()
                .orElse(null);
    }

    /** The words of a heading without its markup. */
    static String headingText(String text, Block heading) {
        String line = text.substring(heading.start(), heading.end()).strip();
        int newline = line.indexOf('\n');
        String first = newline < 0 ? line : line.substring(0, newline);
        return MARKS_BEHIND
                .matcher(first.replaceFirst("^#{1,6}", ""))
                .replaceFirst("")
                .strip();
    }

    private void line(int from, int to) {
        String line = text.substring(from, Math.min(to, from + 256)).strip();
        if (fence != null) {
            if (line.startsWith(fence) && line.chars().allMatch(c -> c == line.charAt(0))) {
                fence = null;
                open = false;
            }
            return;
        }
        switch (markup) {
            case CSV -> continueOrBegin(BlockType.TABLE, from);
            case PLAIN, MARKDOWN -> {
                if (line.isEmpty()) {
                    open = false;
                } else if (markup == ConvertedDocument.Markup.PLAIN) {
                    continueOrBegin(BlockType.PROSE, from);
                } else {
                    markdownLine(line, from);
                }
            }
        }
    }

    private void markdownLine(String line, int from) {
        int heading = headingLevel(line);
        if (heading > 0) {
            begin(BlockType.HEADING, heading, from);
            open = false;
        } else if (line.startsWith("```") || line.startsWith("~~~")) {
            begin(BlockType.CODE, 0, from);
            fence = line.substring(0, fenceLength(line));
        } else if (line.startsWith("|") || (open && kind == BlockType.TABLE && line.indexOf('|') > 0)) {
            continueOrBegin(BlockType.TABLE, from);
        } else if (open && kind == BlockType.PROSE && TableSyntax.Pipes.dashes(line) && singleLine(from)) {
            kind = BlockType.TABLE;
        } else if (open && kind == BlockType.PROSE && underline(line) && singleLine(from)) {
            kind = BlockType.HEADING;
            level = line.charAt(0) == '=' ? 1 : 2;
            open = false;
        } else {
            continueOrBegin(BlockType.PROSE, from);
        }
    }

    private static int headingLevel(String line) {
        int marks = 0;
        while (marks < line.length() && line.charAt(marks) == '#') {
            marks++;
        }
        boolean heading = marks > 0 && marks <= MAX_LEVEL && (marks == line.length() || line.charAt(marks) <= ' ');
        return heading ? marks : 0;
    }

    private static int fenceLength(String line) {
        int length = 0;
        while (length < line.length() && line.charAt(length) == line.charAt(0)) {
            length++;
        }
        return length;
    }

    private static boolean underline(String line) {
        char mark = line.charAt(0);
        return (mark == '=' || mark == '-')
                && line.length() >= 3
                && line.chars().allMatch(c -> c == mark);
    }

    /** Whether the current block has one line. Only a single line can be underlined to a heading. */
    private boolean singleLine(int from) {
        int newline = text.indexOf('\n', start);
        return newline == from - 1;
    }

    private void continueOrBegin(BlockType wanted, int from) {
        if (!open || kind != wanted) {
            begin(wanted, 0, from);
        }
    }

    private void begin(BlockType wanted, int headingLevel, int from) {
        close(from);
        start = from;
        kind = wanted;
        level = headingLevel;
        open = true;
    }

    private void close(int end) {
        // Blank lines before the first block belong to it.
        boolean leading = blocks.isEmpty()
                && end < text.length()
                && text.substring(start, end).isBlank();
        if (end > start && !leading) {
            blocks.add(new Block(kind, level, blocks.isEmpty() ? 0 : start, end));
        }
    }
}
