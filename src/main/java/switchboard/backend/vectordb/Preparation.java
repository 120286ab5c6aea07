package switchboard.backend.vectordb;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.convert.Chunk;
import switchboard.convert.ChunkSizes;
import switchboard.convert.Chunker;
import switchboard.convert.ConvertException;
import switchboard.convert.ConvertLimits;
import switchboard.convert.ConvertedDocument;
import switchboard.convert.Converter;
import switchboard.convert.DocumentConverter;
import switchboard.convert.TextSplitter;
import switchboard.store.ChunkEmbedders;
import switchboard.store.SearchedText;
import switchboard.text.SurrogatePairs;

/** Computes chunks from bytes, before anything is embedded or written. Blocks: call it on an executor. */
final class Preparation {
    private static final int MAX_CONTEXT = 120;

    private final Converter converter;

    Preparation(Converter converter) {
        this.converter = converter;
    }

    /**
     * A document ready to be embedded.
     *
     * @param contexts for each chunk the text that is embedded and searched before it
     */
    record Prepared(String title, ConvertedDocument converted, List<Chunk> chunks, List<String> contexts) {
        /** The texts to embed, one for each chunk. */
        List<SearchedText> passages() {
            List<SearchedText> passages = new ArrayList<>(chunks.size());
            for (int i = 0; i < chunks.size(); i++) {
                passages.add(new SearchedText(contexts.get(i), chunks.get(i).in(converted.text())));
            }
            return passages;
        }
    }

    /**
     * Converts and splits {@code content}, unless cancelled.
     *
     * @param source its origin
     * @param embedders the models that the chunks must fit, if any
     */
    Prepared prepare(
            String source, FetchedSource.SourceContent content, ChunkEmbedders embedders, BooleanSupplier cancelled) {
        ConvertedDocument converted = convert(source, content, cancelled);
        List<Chunk> chunks = chunks(converted, content, embedders);
        if (chunks.isEmpty()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "No usable chunks produced from '" + source
                            + "': the document contains no text. Give one with text; pictures" + " are not read.");
        }
        String given = content.title();
        String own = Objects.requireNonNullElse(given == null ? converted.title() : given, "");
        List<String> contexts = chunks.size() == 1
                ? List.of(fitting(context(own, converted, chunks.getFirst()), converted, embedders))
                : chunks.stream().map(chunk -> context(own, converted, chunk)).toList();
        return new Prepared(title(own, source), converted, chunks, contexts);
    }

    private ConvertedDocument convert(String source, FetchedSource.SourceContent content, BooleanSupplier cancelled) {
        try {
            return switch (content) {
                case FetchedSource.Document document ->
                    converter.convert(document.content(), ConvertLimits.STANDARD.until(cancelled));
                case FetchedSource.CallerText text -> DocumentConverter.markdown(text.text());
            };
        } catch (ConvertException e) {
            String message =
                    switch (e.reason()) {
                        case UNSUPPORTED -> e.explanation();
                        case UNREADABLE, TOO_LARGE -> "Ingestion failed: " + source + ": " + e.explanation();
                    };
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    EngineMessageSanitizer.then(
                            message, "Use a file that opens elsewhere, in this or another format."));
        }
    }

    /** Source code is cut by its syntax, all else by its headings and paragraphs. */
    private static List<Chunk> chunks(
            ConvertedDocument converted, FetchedSource.SourceContent content, ChunkEmbedders embedders) {
        if (content instanceof FetchedSource.Document document
                && TextSplitter.isSource(converted, document.content().extension())) {
            return splitter(converted, embedders)
                    .of(converted, document.content().extension())
                    .stream()
                    .flatMap(piece -> piece.chunk(converted.text()).stream())
                    .toList();
        }
        return chunker(converted, embedders).chunk(converted);
    }

    private static TextSplitter splitter(ConvertedDocument converted, ChunkEmbedders embedders) {
        return embedders
                .counting(converted.text())
                .map(model -> new TextSplitter(model.tokens()::count, embedders.maxTokens()))
                .orElseGet(TextSplitter::new);
    }

    private static Chunker chunker(ConvertedDocument converted, ChunkEmbedders embedders) {
        return embedders
                .counting(converted.text())
                .map(model -> new Chunker(model.tokens()::count, ChunkSizes.STANDARD.within(embedders.maxTokens())))
                .orElseGet(() -> new Chunker(Chunker::estimatedTokens, ChunkSizes.STANDARD));
    }

    /** The title and those headings above a chunk that the chunk itself does not contain. */
    private static String context(String title, ConvertedDocument converted, Chunk chunk) {
        boolean there =
                chunk.heading().startsWith(title) || chunk.in(converted.text()).contains(title);
        String first = there ? "" : SurrogatePairs.start(title, MAX_CONTEXT);
        String all = Stream.of(first, chunk.context())
                .filter(part -> !part.isBlank())
                .collect(Collectors.joining(" > "));
        return all.substring(SurrogatePairs.after(all, Math.max(0, all.length() - MAX_CONTEXT)));
    }

    /** {@code context} before a text that is one chunk and may fill the input of a model, or nothing if both don't fit. */
    private static String fitting(String context, ConvertedDocument converted, ChunkEmbedders embedders) {
        if (context.isEmpty()) {
            return context;
        }
        String whole = new SearchedText(context, converted.text()).whole();
        return embedders
                        .counting(converted.text())
                        .filter(model -> model.tokens().count(whole) > embedders.maxTokens())
                        .isPresent()
                ? ""
                : context;
    }

    private static String title(String own, String source) {
        if (!own.isEmpty()) {
            return own;
        }
        String path = source.replaceFirst("[?#].*$", "").replaceFirst("(?<![/\\\\])[/\\\\]+$", "");
        String last = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        return last.isBlank() ? source : last;
    }
}
