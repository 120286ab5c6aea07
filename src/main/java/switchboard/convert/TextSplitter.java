package switchboard.convert;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.text.SurrogatePairs;

/**
 * Cuts documents into pieces: source code of a known language by its syntax, everything else by headings and
 * paragraphs, and source code, too, that can't be parsed in time. Blocks; thread-safe.
 */
public final class TextSplitter {
    private static final Logger LOG = LoggerFactory.getLogger(TextSplitter.class);

    /** The size agentroot documents for a chunk, in bytes of text that is mostly ASCII. */
    static final int MAX_LENGTH = 3200;

    /** Larger files are data or generated; their syntax is not worth the time. */
    private static final int MAX_PARSED = 1 << 18;

    /** A file of the largest size takes a fiftieth of it. */
    private static final Duration PARSE_TIME = Duration.ofSeconds(5);

    private static final UnstoppableCalls PARSERS = new UnstoppableCalls("source-parser", 2);

    private static final ChunkSizes SIZES = new ChunkSizes(MAX_LENGTH / 4, 32, 0, 50);

    private final Chunker chunker;

    /** Languages whose parser did not load in this process, so that the log says it once of each. */
    private static final Set<String> WITHOUT_PARSER = ConcurrentHashMap.newKeySet();

    /**
     * Pieces for a model.
     *
     * @param tokens counts the tokens of a text
     * @param window how many tokens the model takes
     */
    public TextSplitter(ToIntFunction<String> tokens, int window) {
        this.chunker = new Chunker(tokens, SIZES.within(window));
    }

    /** Pieces where no model counts tokens: they are estimated. */
    public TextSplitter() {
        this(Chunker::estimatedTokens, Integer.MAX_VALUE);
    }

    /**
     * Whether {@code document} is source code of a known language, which a page about a source file is not, though its
     * address ends alike.
     */
    public static boolean isSource(ConvertedDocument document, String extension) {
        return document.markup() == ConvertedDocument.Markup.PLAIN
                && SourceGrammar.of(extension).isPresent();
    }

    /** The pieces of {@code document}; none if it is empty. */
    public List<TextPiece> of(ConvertedDocument document, String extension) {
        String text = document.text();
        Optional<SourceGrammar> grammar =
                isSource(document, extension) ? SourceGrammar.of(extension) : Optional.empty();
        if (text.isEmpty()) {
            return List.of();
        }
        return grammar.filter(_ -> text.length() <= MAX_PARSED)
                .flatMap(known -> bySyntax(text, known))
                .orElseGet(() -> byStructure(document));
    }

    /** Empty where the parser is not for this platform, or takes too long. */
    private static Optional<List<TextPiece>> bySyntax(String text, SourceGrammar grammar) {
        try {
            // The parser can be stopped, but not in each of its loops.
            Optional<List<TextPiece>> pieces = PARSERS.call(
                            () -> SyntaxSplitter.of(text, grammar, PARSE_TIME), PARSE_TIME.multipliedBy(2))
                    .flatMap(Function.identity());
            if (pieces.isEmpty()) {
                LOG.warn(
                        "A file of {} with {} characters can't be parsed in time, so it is cut as text",
                        grammar.language(),
                        text.length());
            }
            return pieces.map(found -> bounded(text, found));
        } catch (LinkageError e) {
            if (WITHOUT_PARSER.add(grammar.language())) {
                LOG.warn(
                        "The native parser of {} does not load on this platform, so its files are cut as text ({})",
                        grammar.language(),
                        e.toString());
            }
            return Optional.empty();
        }
    }

    private List<TextPiece> byStructure(ConvertedDocument document) {
        String text = document.text();
        List<Chunk> chunks = chunker.chunk(document);
        List<TextPiece> pieces = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < chunks.size(); i++) {
            int end = i + 1 < chunks.size() ? chunks.get(i + 1).start() : text.length();
            if (end > at) {
                pieces.add(new TextPiece(
                        at, end, "Text", chunks.get(i).heading(), chunks.get(i).columns()));
                at = end;
            }
        }
        // Of white space alone the chunker makes nothing.
        return pieces.isEmpty() ? List.of(new TextPiece(0, text.length(), "Text", "")) : pieces;
    }

    /** Splits pieces that are too long at line ends. Their breadcrumbs get a number. */
    static List<TextPiece> bounded(String text, List<TextPiece> pieces) {
        List<TextPiece> all = new ArrayList<>();
        for (TextPiece piece : pieces) {
            if (piece.end() - piece.start() <= MAX_LENGTH) {
                all.add(piece);
                continue;
            }
            int part = 0;
            int at = piece.start();
            while (at < piece.end()) {
                int end = cut(text, at, piece.end());
                all.add(new TextPiece(at, end, piece.type(), piece.breadcrumb() + "[" + part++ + "]"));
                at = end;
            }
        }
        return all;
    }

    /**
     * The end of the part that begins at {@code at}: at a line end in its last third if there is one, never inside a
     * surrogate pair.
     */
    private static int cut(String text, int at, int end) {
        int most = at + MAX_LENGTH;
        if (most >= end) {
            return end;
        }
        int newline = text.lastIndexOf('\n', most - 1);
        if (newline >= at + MAX_LENGTH * 7 / 10) {
            return newline + 1;
        }
        return SurrogatePairs.before(text, most);
    }
}
