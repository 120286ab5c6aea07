package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.BytesRef;
import switchboard.call.Json;
import switchboard.text.SurrogatePairs;

/**
 * The layout of a document in the index: a block of consecutive Lucene documents. First the slices of its text, then
 * its chunks, last its metadata. A block is written and removed as a whole and Lucene keeps it together, so the parts are
 * found by counting.
 */
final class DocumentSchema {
    /** The kind of a Lucene document: {@link #SLICE}, {@link #CHUNK} or {@link #DOCUMENT}. */
    static final String KIND = "kind";

    static final String SLICE = "s";
    static final String CHUNK = "c";
    static final String DOCUMENT = "d";

    /** The document's source, in each part of the block. Blocks are removed by it. */
    static final String SOURCE = "source";

    /** The document's id. */
    static final String ID = "id";

    /**
     * Who may read the document, in each part of its block: the names, and {@link #RESTRICTED}; nothing if everyone may. If
     * several places name them, only {@link #RESTRICTED}, and the names are in {@link #reader} of each place: a version
     * that does not know these shows the document to nobody.
     */
    static final String READER = "reader";

    /** The value of {@link #READER} that all documents have which not everyone may read, and of each {@link #reader}. */
    static final String RESTRICTED = "";

    /** A field of the document: the version of the text analysis that made its terms. */
    static final String ANALYSIS = "analysis";

    /** The value of {@link #ANALYSIS} of a document whose chunks are not in the index. */
    static final String ELSEWHERE = "elsewhere";

    /** A field of chunks that are not analysed as English: the code of their language. */
    static final String LANGUAGE = "language";

    /** The terms for keyword search. */
    static final String CONTENT = "content";

    /** A field of chunks: the number of their terms for keyword search. */
    static final String LENGTH = "length";

    /** A field of chunks: how many of these terms are in the text, see {@link ChunkTerms}. */
    static final String IN_TEXT = "in_text";

    /** Facts of the document or the chunk, as JSON. */
    static final String STORED = "stored";

    static final String SLICE_TEXT = "text";
    static final String SLICE_FROM = "from";

    /** Sort key for chunks of equal scores: the source, then the position in the document. */
    static final String TIE = "tie";

    /** The distance to the last Lucene document of the block. */
    static final String UP = "up";

    /** A field of chunks: their {@link TextFingerprint}. */
    static final String TEXT_KEY = "text_key";

    static final String BY_CREATED = "by_created";
    static final String BY_SOURCE = "by_source";
    static final String BY_ID = "by_id";

    /**
     * Length of a slice of text, in UTF-16 units. A hit in a long document reads a few slices instead of the whole
     * text.
     */
    static final int SLICE_LENGTH = 1 << 14;

    private static final String PAGES = "pages";
    private static final String FIRST_PAGE = "page";
    /** How the terms of {@link #CONTENT} are indexed. */
    static final FieldType CONTENT_TYPE = new FieldType();

    static {
        CONTENT_TYPE.setTokenized(true);
        CONTENT_TYPE.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
        CONTENT_TYPE.freeze();
    }

    private DocumentSchema() {}

    /** The field with the names of one of several places, from 0. */
    static String reader(int place) {
        return READER + "_" + place;
    }

    /** The Lucene documents of a new document. */
    static List<Document> of(StoredDocument facts, NewDocument document) {
        return of(facts, document.text(), document.chunks(), VectorFields.byField(document));
    }

    /** The Lucene documents of a document with {@code facts}, {@code text} and {@code chunks} with their vectors by field. */
    static List<Document> of(
            StoredDocument facts, String text, List<Chunk> chunks, List<Map<String, float[]>> vectors) {
        List<Document> block = new ArrayList<>();
        slices(facts, text, block);
        int slices = block.size();
        for (int i = 0; i < chunks.size(); i++) {
            block.add(chunk(facts, AnalysedChunk.of(facts, text, chunks.get(i), i), chunks.size() - i, vectors.get(i)));
        }
        block.add(document(facts, slices));
        return block;
    }

    static Document part(StoredDocument facts, String kind) {
        Document part = new Document();
        part.add(new StringField(KIND, kind, Field.Store.NO));
        part.add(new StringField(SOURCE, facts.source(), Field.Store.NO));
        List<List<String>> places = facts.allow().places();
        if (places.size() == 1) {
            addReaders(part, READER, places.getFirst());
        } else if (places.size() > 1) {
            addReaders(part, READER, List.of());
            for (int i = 0; i < places.size(); i++) {
                addReaders(part, reader(i), places.get(i));
            }
        }
        return part;
    }

    /**
     * A part without words for keyword search. It has their field all the same, but empty: if each Lucene document of a segment has
     * the field, Lucene stores its norms densely, and reads them much faster in searches and merges.
     */
    private static Document partWithoutWords(StoredDocument facts, String kind) {
        Document part = part(facts, kind);
        part.add(new Field(CONTENT, new PrecomputedTokenStream(List.of()), CONTENT_TYPE));
        return part;
    }

    private static void addReaders(Document part, String field, List<String> names) {
        part.add(new StringField(field, RESTRICTED, Field.Store.NO));
        names.forEach(name -> part.add(new StringField(field, name, Field.Store.NO)));
    }

    private static void slices(StoredDocument facts, String text, List<Document> block) {
        int from = 0;
        while (from < text.length()) {
            int end = SurrogatePairs.after(text, Math.min(text.length(), sliceOf(from) * SLICE_LENGTH + SLICE_LENGTH));
            Document slice = partWithoutWords(facts, SLICE);
            slice.add(new StoredField(SLICE_TEXT, text.substring(from, end)));
            slice.add(new StoredField(SLICE_FROM, from));
            block.add(slice);
            from = end;
        }
    }

    /** The number of the slice that contains the UTF-16 unit at {@code offset}. */
    static int sliceOf(int offset) {
        return offset / SLICE_LENGTH;
    }

    /** The Lucene document of a document's metadata, the last of its block. */
    static Document document(StoredDocument facts, int slices) {
        Document document = partWithoutWords(facts, DOCUMENT);
        document.add(new StringField(ID, facts.id(), Field.Store.NO));
        document.add(new StringField(ANALYSIS, TextAnalysis.VERSION, Field.Store.NO));
        document.add(new StoredField(STORED, bytes(toJson(facts, slices))));
        document.add(new NumericDocValuesField(BY_CREATED, facts.createdAt().toEpochMilli()));
        document.add(new SortedDocValuesField(BY_SOURCE, new BytesRef(facts.source())));
        document.add(new SortedDocValuesField(BY_ID, new BytesRef(facts.id())));
        addFacts(document, documentFacts(facts));
        return document;
    }

    /** Refuses a document whose metadata can't be indexed. */
    static void check(StoredDocument facts) {
        var _ = documentFacts(facts);
    }

    private static MetadataTerms documentFacts(StoredDocument facts) {
        MetadataTerms terms = new MetadataTerms()
                .add("doc_id", facts.id())
                .add("source", facts.source())
                .add("title", facts.title())
                .add("file_type", facts.fileType())
                .add("content_hash", facts.contentHash())
                .add("created_at", facts.createdAt().toEpochMilli())
                .addAll(MetadataTerms.METADATA, facts.metadata());
        if (facts.lastModified() != null) {
            terms.add("last_modified", facts.lastModified());
        }
        return facts.model() == null ? terms : terms.add("model", facts.model());
    }

    private static void addFacts(Document document, MetadataTerms metadataTerms) {
        metadataTerms.terms().stream()
                .distinct()
                .forEach(term -> document.add(new StringField(MetadataTerms.FIELD, term, Field.Store.NO)));
    }

    /**
     * The Lucene document of a chunk.
     *
     * @param up its distance to the last Lucene document of the block
     */
    static Document chunk(StoredDocument facts, AnalysedChunk analysed, int up, Map<String, float[]> vectors) {
        Chunk chunk = analysed.chunk();
        int index = analysed.index();
        Document document = part(facts, CHUNK);
        analysed.language().ifPresent(found -> document.add(new StringField(LANGUAGE, found.code(), Field.Store.NO)));
        document.add(
                new Field(CONTENT, new PrecomputedTokenStream(analysed.terms().all()), CONTENT_TYPE));
        document.add(new NumericDocValuesField(LENGTH, analysed.terms().all().size()));
        document.add(new NumericDocValuesField(IN_TEXT, analysed.terms().inText()));
        document.add(new StoredField(STORED, bytes(analysed.stored())));
        BytesRef textKey = TextFingerprint.of(chunk.headingPath(), analysed.text());
        document.add(new StringField(TEXT_KEY, textKey, Field.Store.NO));
        document.add(new BinaryDocValuesField(TEXT_KEY, textKey));
        document.add(new SortedDocValuesField(TIE, new BytesRef(facts.source() + "\0" + String.format("%08x", index))));
        MetadataTerms terms = documentFacts(facts).add("chunk_index", index);
        chunk.labels().forEach((key, value) -> terms.add("label." + key, value));
        addFacts(document, terms);
        pages(chunk).forEach(page -> document.add(new StringField(MetadataTerms.FIELD, page, Field.Store.NO)));
        document.add(new NumericDocValuesField(UP, up));
        VectorFields.add(document, vectors);
        return document;
    }

    /** The terms of a chunk's pages; page 0 stands for a format without pages. They are not part of the document's metadata. */
    private static List<BytesRef> pages(Chunk chunk) {
        List<Integer> pages = chunk.pages().isEmpty() ? List.of(0) : chunk.pages();
        return pages.stream()
                .map(page -> MetadataTerms.term("page", new Filter.Value.NumberValue(page)))
                .toList();
    }

    /** The bytes of a stored form. */
    static byte[] bytes(JsonNode json) {
        // By way of text, because metadata may hold half a surrogate pair, which has no UTF-8.
        return Json.text(json).getBytes(StandardCharsets.UTF_8);
    }

    /** What is known of a document, as it is stored. */
    static ObjectNode toJson(StoredDocument facts, int slices) {
        ObjectNode json = Json.object()
                .put("id", facts.id())
                .put("source", facts.source())
                .put("title", facts.title())
                .put("type", facts.fileType())
                .put("hash", facts.contentHash())
                .put("created", facts.createdAt().toEpochMilli())
                .put("chunks", facts.chunkCount())
                .put("length", facts.textLength())
                .put("slices", slices);
        if (facts.lastModified() != null) {
            json.put("modified", facts.lastModified());
        }
        if (facts.model() != null) {
            json.put("model", facts.model());
        }
        json.set("metadata", facts.metadata());
        ReadersJson.write(facts.details(), json);
        return json;
    }

    /** A chunk without its vector, as it is stored. */
    static ObjectNode toJson(Chunk chunk, int index) {
        ObjectNode json = Json.object()
                .put("index", index)
                .put("start", chunk.start())
                .put("end", chunk.end())
                .put("headings", chunk.headingPath())
                .put("context", chunk.context());
        chunk.pages().forEach(json.putArray(PAGES)::add);
        if (!chunk.columns().isEmpty()) {
            json.put("columns", chunk.columns());
        }
        if (!chunk.foundBy().isEmpty()) {
            json.put("foundBy", chunk.foundBy());
        }
        ObjectNode labels = json.putObject("labels");
        new TreeMap<>(chunk.labels()).forEach(labels::put);
        return json;
    }

    /** The pages in a chunk's JSON. */
    static List<Integer> pages(JsonNode chunk) {
        if (firstPageOnly(chunk)) {
            return List.of(chunk.path(FIRST_PAGE).intValue());
        }
        List<Integer> pages = new ArrayList<>();
        chunk.path(PAGES).forEach(page -> pages.add(page.intValue()));
        return pages;
    }

    /** Whether an earlier version wrote a chunk's JSON, which has only the first of its pages. */
    static boolean firstPageOnly(JsonNode chunk) {
        return chunk.path(FIRST_PAGE).intValue() > 0;
    }

    /** The labels in a chunk's JSON. */
    static Map<String, String> labels(JsonNode chunk) {
        Map<String, String> labels = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : chunk.path("labels").properties()) {
            labels.put(entry.getKey(), entry.getValue().textValue());
        }
        return labels;
    }

    /** The chunk of a stored form, without its vector. */
    static Chunk chunk(JsonNode json) {
        return new Chunk(
                new Chunk.ChunkRange(
                        json.get("start").intValue(), json.get("end").intValue()),
                pages(json),
                json.get("headings").textValue(),
                json.get("context").textValue(),
                json.path("columns").asText(),
                json.path("foundBy").asText(),
                labels(json),
                null);
    }
}
