package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.backend.agentroot.source.SourcePermission;
import switchboard.backend.agentroot.text.ExtractedMetadata;
import switchboard.backend.agentroot.text.LineIndex;
import switchboard.backend.agentroot.text.LlmMetadata;
import switchboard.backend.agentroot.text.MetadataExtractor;
import switchboard.backend.agentroot.text.Utf8;
import switchboard.backend.embedded.FrontMatterPermission;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.convert.ConvertException;
import switchboard.convert.ConvertLimits;
import switchboard.convert.ConvertedDocument;
import switchboard.convert.DocumentConverter;
import switchboard.convert.RawDocument;
import switchboard.convert.TextPiece;
import switchboard.convert.TextSplitter;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.ChunkEmbedders;
import switchboard.store.DocumentDetails;
import switchboard.store.NewDocument;
import switchboard.store.SearchedText;
import switchboard.text.SurrogatePairs;

/** Computes what is stored for a document, except vectors. Blocks: call it on an executor. */
final class DocumentPreparation {
    private static final int MAX_CONTEXT = 300;

    /** Extensions of formats that must be converted to text. */
    private static final Set<String> CONVERTED = Set.of("html", "htm", "pdf", "docx", "pptx", "xlsx", "epub");

    private static final Set<String> TABLES = Set.of("csv", "tsv");

    private static final Set<String> MARKDOWN = Set.of("md", "markdown", "mdx");

    private final DocumentConverter converter;
    private final ChunkEmbedders embedders;

    DocumentPreparation(DocumentConverter converter, ChunkEmbedders embedders) {
        this.converter = converter;
        this.embedders = embedders;
    }

    /**
     * The document.
     *
     * @param version the provider's version of it, or empty
     */
    record DocumentKey(String collection, String provider, String path, String version) {}

    /**
     * A model's description of a document.
     *
     * @param model the model; empty if none was used
     */
    record ModelDescription(String model, LlmMetadata facts) {
        static final ModelDescription NOTHING = new ModelDescription("", LlmMetadata.NONE);
    }

    /** A document without vectors. */
    record PreparedDocument(
            DocumentKey documentKey,
            String hash,
            ConvertedDocument text,
            String type,
            SourceDocument.RawContent content,
            ExtractedMetadata facts,
            String toldBy,
            List<Chunk> chunks) {
        /** The texts to embed, one for each chunk. */
        List<SearchedText> passages() {
            return chunks.stream()
                    .map(chunk -> new SearchedText(chunk.context(), chunk.in(text.text())))
                    .toList();
        }

        /** The document with its vectors, one for each chunk, or none at all if there is no model. */
        NewDocument document(List<Optional<Chunk.ChunkVector>> vectors, Optional<String> model, ObjectNode user) {
            List<Chunk> all = new ArrayList<>();
            for (int i = 0; i < chunks.size(); i++) {
                Chunk chunk = chunks.get(i);
                all.add(
                        model.isEmpty()
                                ? chunk
                                : vectors.get(i).map(chunk::withVector).orElse(chunk));
            }
            if (!all.isEmpty()) {
                all.set(
                        0,
                        all.getFirst()
                                .withFoundBy(
                                        WeightedSearchText.words(facts.terms().given(), user)));
            }
            return new NewDocument(
                    new DocumentDetails(
                            documentKey.path(),
                            facts.title(),
                            type,
                            content.modified() == null
                                    ? null
                                    : content.modified().toString(),
                            hash,
                            DocumentMetadata.of(this, model, user),
                            AllowedReaders.ALL,
                            content.allow()),
                    text.text(),
                    model.orElse(null),
                    all);
        }
    }

    /** Whether the text that is stored of {@code content} is its bytes. */
    private static boolean storedUnchanged(SourceDocument.RawContent content) {
        return content.contentType() == null && !CONVERTED.contains(MetadataExtractor.extension(content.name()));
    }

    /** {@code content} for those who may read it as its provider and itself say, without what it says of them. */
    SourceDocument.RawContent withOwnPermission(SourceDocument.RawContent content) {
        RawDocument raw = content.raw();
        boolean other = DocumentConverter.declaresOther(raw);
        Optional<String> stored =
                other ? Optional.empty() : storedUnchanged(content) ? utf8(content.bytes()) : converter.prose(raw);
        // What is not stored as it is may still keep somebody from an earlier version.
        Optional<String> read =
                stored.isPresent() || other ? stored : Optional.of(DocumentConverter.anyText(content.bytes()));
        SourcePermission permission = content.permission();
        if (read.isEmpty()) {
            return content;
        }
        try {
            FrontMatterPermission own = FrontMatterPermission.of(read.get());
            SourceDocument.RawContent rest = stored.isEmpty() || own.text().equals(stored.get())
                    ? content
                    // Another permission is no other text: nothing is embedded again.
                    : content.with(raw.withText(own.text()));
            return rest.with(permission.and(own::readers));
        } catch (IllegalArgumentException e) {
            return content.with(permission.wrong(e));
        }
    }

    private static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(Utf8.decoded(bytes));
        } catch (ToolException _) {
            return Optional.empty();
        }
    }

    /** Reads, describes and cuts {@code content}, unless it is no longer wanted. */
    PreparedDocument prepare(
            DocumentKey documentKey,
            SourceDocument.RawContent content,
            ModelDescription described,
            BooleanSupplier cancelled) {
        String extension = MetadataExtractor.extension(content.name());
        ConvertedDocument text = text(content, extension, cancelled);
        String fallback = content.fallback() == null ? MetadataExtractor.stem(documentKey.path()) : content.fallback();
        ExtractedMetadata known = MetadataExtractor.of(documentKey.path(), text, described.facts(), fallback);
        ExtractedMetadata facts = content.title() == null ? known : known.withTitle(content.title());
        return new PreparedDocument(
                documentKey,
                DigestUtils.sha256Hex(content.bytes()),
                text,
                extension.isEmpty() ? "txt" : extension,
                content,
                facts,
                described.model(),
                chunks(documentKey, text, facts, extension));
    }

    private ConvertedDocument text(SourceDocument.RawContent content, String extension, BooleanSupplier cancelled) {
        // Files are stored unchanged, so that get returns what was read.
        if (storedUnchanged(content)) {
            return new ConvertedDocument(Utf8.decoded(content.bytes()), markup(extension), null, List.of());
        }
        try {
            ConvertedDocument converted = converter.convert(content.raw(), ConvertLimits.STANDARD.until(cancelled));
            if (extension.equals("pdf") && converted.text().isBlank()) {
                throw new ToolException(FailureKind.INVALID_ARGUMENT, "has no text; pictures of pages are not read");
            }
            return converted;
        } catch (ConvertException e) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, e.explanation());
        }
    }

    private static ConvertedDocument.Markup markup(String extension) {
        if (TABLES.contains(extension)) {
            return ConvertedDocument.Markup.CSV;
        }
        return MARKDOWN.contains(extension) ? ConvertedDocument.Markup.MARKDOWN : ConvertedDocument.Markup.PLAIN;
    }

    private List<Chunk> chunks(
            DocumentKey documentKey, ConvertedDocument text, ExtractedMetadata facts, String extension) {
        LineIndex lines = new LineIndex(text.text());
        Map<String, Integer> seen = new HashMap<>();
        List<Chunk> chunks = new ArrayList<>();
        for (TextPiece piece : splitter(text).of(text, extension)) {
            String own = piece.in(text.text());
            int occurrence = seen.merge(own, 1, Integer::sum);
            Map<String, String> labels = new LinkedHashMap<>();
            labels.put(ChunkLabels.HASH, Hashes.chunk(documentKey.collection(), documentKey.path(), own, occurrence));
            labels.put(ChunkLabels.TYPE, piece.type());
            labels.put(ChunkLabels.BREADCRUMB, piece.breadcrumb());
            labels.put(ChunkLabels.LINES, lines.range(piece.start(), piece.end()));
            facts.labels().forEach((key, value) -> labels.put(ChunkLabels.USER + key, value));
            MetadataExtractor.labels(own).forEach((key, value) -> labels.put(ChunkLabels.USER + key, value));
            labels.put(ChunkLabels.USER + "type", piece.type().toLowerCase(java.util.Locale.ROOT));
            labels.put(ChunkLabels.USER + "language", facts.language().isEmpty() ? "text" : facts.language());
            chunks.add(Chunk.of(piece.start(), piece.end())
                    .onPages(text.pagesOf(piece.start(), piece.end()))
                    .below(piece.breadcrumb(), context(documentKey, facts, piece))
                    .withColumns(piece.columns())
                    .withLabels(labels));
        }
        return chunks;
    }

    private TextSplitter splitter(ConvertedDocument text) {
        return embedders
                .counting(text.text())
                .map(model -> new TextSplitter(model.tokens()::count, embedders.maxTokens()))
                .orElseGet(TextSplitter::new);
    }

    /** The context of a chunk for searching: its document's title and path, and its position in it. */
    private static String context(DocumentKey documentKey, ExtractedMetadata facts, TextPiece piece) {
        String tags = String.join(" ", facts.tags());
        String all = facts.title() + "\n" + documentKey.path() + " " + piece.breadcrumb()
                + (tags.isEmpty() ? "" : "\n" + tags);
        return SurrogatePairs.start(all, MAX_CONTEXT);
    }
}
