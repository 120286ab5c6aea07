package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.KnnVectorValues.DocIndexIterator;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Json;

/**
 * The last commits of some namespaces as one index. Not thread-safe.
 *
 * <p>Lucene document numbers ({@code int document}, {@code int chunk}) are valid for this snapshot only.
 */
final class Snapshot implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshot.class);
    private static final Set<String> STORED = Set.of(DocumentSchema.STORED);

    /** How many times the bytes of a stored form its objects take in memory. */
    private static final int TREE = 5;

    private final DocumentAccess access;
    private final List<Namespace> namespaces = new ArrayList<>();
    private final List<DirectoryReader> readers = new ArrayList<>();
    private final List<Namespace> unreadable = new ArrayList<>();
    private final MultiReader all;
    private final IndexSearcher searcher;
    private final StoredFields fields;
    /** Whether its segments are there for other snapshots, too. */
    private final boolean stored;

    /** The chunks that were read, by number. */
    private final Map<Integer, StoredChunk> readChunks = new HashMap<>();

    private Snapshot(
            Collection<NamespaceIndex> indexes, DocumentAccess access, @Nullable Executor segments, int mayBeUnreadable)
            throws IOException {
        this.access = access;
        stored = true;
        try {
            for (NamespaceIndex index : indexes) {
                add(index, mayBeUnreadable);
            }
            all = new MultiReader(readers.toArray(new IndexReader[0]), false);
        } catch (Throwable e) {
            release();
            throw e;
        }
        searcher = new SnapshotSearcher(all, segments);
        // One for all reads, because neighbours are in the same compressed block.
        fields = searcher.storedFields();
    }

    private void add(NamespaceIndex index, int mayBeUnreadable) throws IOException {
        try {
            Optional<DirectoryReader> reader = index.acquire();
            if (reader.isPresent()) {
                readers.add(ReadableDocuments.of(reader.get(), access));
                namespaces.add(index.namespace());
            }
        } catch (IOException | RuntimeException e) {
            if (unreadable.size() >= mayBeUnreadable) {
                throw e;
            }
            LOG.debug("{} is left out of this search: {}", index.namespace().name(), e.toString());
            unreadable.add(index.namespace());
        }
    }

    /** What {@code access} permits of the last commits of {@code indexes}. Must be closed. */
    static Snapshot of(Collection<NamespaceIndex> indexes, DocumentAccess access) throws IOException {
        return new Snapshot(indexes, access, null, 0);
    }

    /** The same, of which {@code segments} may read several segments at once. */
    static Snapshot of(Collection<NamespaceIndex> indexes, DocumentAccess access, Executor segments)
            throws IOException {
        return new Snapshot(indexes, access, segments, 0);
    }

    /** The same without namespaces whose files are damaged, unless all are damaged. */
    static Snapshot ofReadable(Collection<NamespaceIndex> indexes, DocumentAccess access, Executor segments)
            throws IOException {
        return new Snapshot(indexes, access, segments, indexes.size() - 1);
    }

    /**
     * Candidates of a search as one index, which is closed with it.
     *
     * @param chunks the number of chunks that they were found among
     * @param words the number of terms of these
     */
    static Snapshot ofCandidates(Map<Namespace, DirectoryReader> candidates, long chunks, long words)
            throws IOException {
        return new Snapshot(candidates, chunks, words);
    }

    private Snapshot(Map<Namespace, DirectoryReader> candidates, long chunks, long words) throws IOException {
        access = DocumentAccess.EVERYTHING;
        stored = false;
        namespaces.addAll(candidates.keySet());
        readers.addAll(candidates.values());
        all = new MultiReader(readers.toArray(new IndexReader[0]), false);
        searcher = new SnapshotSearcher(all, null) {
            @Override
            @Nullable
            CollectionStatistics counted(String field) throws IOException {
                CollectionStatistics here = super.counted(field);
                return here == null || chunks == 0 || !field.equals(DocumentSchema.CONTENT)
                        ? here
                        : new CollectionStatistics(
                                field,
                                Math.max(here.maxDoc(), chunks),
                                chunks,
                                Math.max(chunks, words),
                                Math.max(chunks, words));
            }
        };
        fields = searcher.storedFields();
    }

    /** Whether documents may be hidden from the caller. */
    boolean mayHide() {
        return !(access instanceof DocumentAccess.Everything);
    }

    /** The namespaces that were left out because they can't be read. */
    List<Namespace> unreadable() {
        return unreadable;
    }

    /** Its namespaces with the reader of each. */
    Map<Namespace, DirectoryReader> parts() {
        Map<Namespace, DirectoryReader> parts = new LinkedHashMap<>();
        for (int i = 0; i < readers.size(); i++) {
            parts.put(namespaces.get(i), readers.get(i));
        }
        return parts;
    }

    IndexSearcher searcher() {
        return searcher;
    }

    private Namespace spaceOf(int document) {
        int at = 0;
        int base = 0;
        while (document >= base + readers.get(at).maxDoc()) {
            base += readers.get(at).maxDoc();
            at++;
        }
        return namespaces.get(at);
    }

    /** The metadata of the document at {@code document}. */
    StoredDocument document(int document) throws IOException {
        return document(spaceOf(document), storedJson(document));
    }

    private JsonNode storedJson(int number) throws IOException {
        return Json.parse(storedForm(number));
    }

    private byte[] storedForm(int number) throws IOException {
        BytesRef stored = fields.document(number, STORED).getBinaryValue(DocumentSchema.STORED);
        if (stored == null) {
            throw new CorruptIndexException("a stored form is missing", "document " + number);
        }
        return BytesRef.deepCopyOf(stored).bytes;
    }

    /** The document of a stored form. */
    static StoredDocument document(Namespace namespace, JsonNode json) {
        return new StoredDocument(
                json.get("id").textValue(),
                namespace,
                new DocumentDetails(
                        json.get("source").textValue(),
                        json.get("title").textValue(),
                        json.get("type").textValue(),
                        json.hasNonNull("modified") ? json.get("modified").textValue() : null,
                        json.get("hash").textValue(),
                        (ObjectNode) json.get("metadata"),
                        ReadersJson.given(json),
                        ReadersJson.fromSource(json)),
                Instant.ofEpochMilli(json.get("created").longValue()),
                json.get("chunks").intValue(),
                json.get("length").intValue(),
                json.hasNonNull("model") ? json.get("model").textValue() : null);
    }

    /** The full text of the document at {@code document}. */
    String text(int document) throws IOException {
        JsonNode json = storedJson(document);
        return slices(document, json).range(0, json.get("length").intValue());
    }

    private SlicedText slices(int document, JsonNode json) {
        int slices = json.get("slices").intValue();
        return new SlicedText(fields, document - json.get("chunks").intValue() - slices, slices);
    }

    /** The chunk at {@code chunk} with its document. A search needs its best ones more than once, and reads them once. */
    StoredChunk chunk(int chunk) throws IOException {
        StoredChunk known = readChunks.get(chunk);
        if (known == null) {
            LeafReaderContext leaf = leafOf(chunk);
            known = stored
                    ? ChunkCache.get(leaf, spaceOf(chunk), chunk - leaf.docBase, () -> read(chunk))
                    : read(chunk).chunk();
            readChunks.put(chunk, known);
        }
        return known;
    }

    private ChunkCache.ReadChunk read(int chunk) throws IOException {
        int document = documentOf(chunk);
        byte[] ofDocument = storedForm(document);
        byte[] ofChunk = storedForm(chunk);
        StoredChunk read = chunk(document, Json.parse(ofDocument), Json.parse(ofChunk));
        long bytes = TREE * (long) (ofDocument.length + ofChunk.length)
                + Character.BYTES * (long) read.text().length();
        return new ChunkCache.ReadChunk(read, Math.toIntExact(Math.min(bytes, Integer.MAX_VALUE)));
    }

    private StoredChunk chunk(int document, JsonNode parent, JsonNode json) throws IOException {
        int start = json.get("start").intValue();
        int end = json.get("end").intValue();
        return new StoredChunk(
                document(spaceOf(document), parent),
                json.get("index").intValue(),
                new Chunk.ChunkRange(start, end),
                DocumentSchema.pages(json),
                json.get("headings").textValue(),
                json.get("context").textValue(),
                DocumentSchema.labels(json),
                json.path("columns").asText() + text(json, document, parent));
    }

    /** The text of a chunk below its column names. */
    private String text(JsonNode chunk, int document, JsonNode parent) throws IOException {
        Optional<String> own = EngineChunk.text(chunk);
        return own.isPresent()
                ? own.get()
                : slices(document, parent)
                        .range(chunk.get("start").intValue(), chunk.get("end").intValue());
    }

    /** The document that contains the chunk at {@code chunk}. */
    int documentOf(int chunk) throws IOException {
        LeafReaderContext leaf = leafOf(chunk);
        return documentOf(chunk, leaf, DocValues.getNumeric(leaf.reader(), DocumentSchema.UP));
    }

    /** The same, by the values of {@link DocumentSchema#UP} in its segment. */
    static int documentOf(int chunk, LeafReaderContext segment, NumericDocValues up) throws IOException {
        if (!up.advanceExact(chunk - segment.docBase)) {
            throw new CorruptIndexException("a chunk without its document", "document " + chunk);
        }
        return chunk + (int) up.longValue();
    }

    private LeafReaderContext leafOf(int number) {
        return all.leaves().get(ReaderUtil.subIndex(number, all.leaves()));
    }

    /** Id and source of the document of the chunk at {@code chunk}, its best, without scores. */
    DocumentScores.Scores unscored(int chunk) throws IOException {
        int document = documentOf(chunk);
        return new DocumentScores.Scores(
                spaceOf(document),
                id(document),
                value(DocumentSchema.BY_SOURCE, document),
                document - chunk,
                new ArrayList<>());
    }

    /** The id of the document at {@code document}. */
    String id(int document) throws IOException {
        return value(DocumentSchema.BY_ID, document);
    }

    private String value(String field, int document) throws IOException {
        LeafReaderContext leaf = leafOf(document);
        SortedDocValues values = DocValues.getSorted(leaf.reader(), field);
        if (!values.advanceExact(document - leaf.docBase)) {
            throw new CorruptIndexException("a document without its " + field, "document " + document);
        }
        return values.lookupOrd(values.ordValue()).utf8ToString();
    }

    /** The chunks of the document at {@code document} as they were stored, without their vectors. */
    List<Chunk> chunks(int document) throws IOException {
        int count = storedJson(document).get("chunks").intValue();
        List<Chunk> chunks = new ArrayList<>(count);
        boolean earlier = false;
        for (int i = 0; i < count; i++) {
            JsonNode json = storedJson(document - count + i);
            earlier |= DocumentSchema.firstPageOnly(json);
            chunks.add(DocumentSchema.chunk(json));
        }
        return earlier ? PageNumberUpgrade.completed(chunks, text(document)) : chunks;
    }

    /** The vectors of the chunks of the document at {@code document}, by field. */
    List<Map<String, float[]>> vectors(int document) throws IOException {
        int count = storedJson(document).get("chunks").intValue();
        LeafReaderContext leaf = leafOf(document);
        List<Map<String, float[]>> vectors = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            vectors.add(new HashMap<>());
        }
        int first = document - count - leaf.docBase;
        for (FieldInfo info : leaf.reader().getFieldInfos()) {
            FloatVectorValues values =
                    VectorFields.isVectors(info.name) ? leaf.reader().getFloatVectorValues(info.name) : null;
            if (values == null) {
                continue;
            }
            DocIndexIterator having = values.iterator();
            BinaryDocValues sentences = DocValues.getBinary(leaf.reader(), VectorFields.sentences(info.name));
            for (int at = having.advance(first); at < first + count; at = having.nextDoc()) {
                float[] whole = values.vectorValue(having.index());
                vectors.get(at - first)
                        .put(
                                info.name,
                                sentences.advanceExact(at)
                                        ? VectorFields.joined(whole, sentences.binaryValue())
                                        : whole.clone());
            }
        }
        return vectors;
    }

    private void release() {
        // The readers belong to their indexes; only this snapshot's references are given back.
        readers.forEach(reader -> {
            try {
                reader.decRef();
            } catch (IOException e) {
                IOUtils.closeWhileHandlingException(reader);
            }
        });
        readers.clear();
    }

    @Override
    public void close() {
        IOUtils.closeWhileHandlingException(all);
        release();
    }
}
