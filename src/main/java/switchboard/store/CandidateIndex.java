package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import switchboard.store.EngineSearch.EngineFindings;

/**
 * An index in memory of the chunks that an engine has found, for one search. It ranks them by the statistics of all chunks that the
 * caller may read, not only of these.
 */
final class CandidateIndex {
    /** A kind besides those of {@link DocumentSchema}: what is between chunks that are not neighbours. */
    private static final String GAP = "g";

    /** The kind of something that was removed: its words are in the index, so that none is missing that other chunks have. */
    private static final String WORDS = "w";

    private CandidateIndex() {}

    /**
     * The chunks that were found, with their documents.
     *
     * @param documents has the documents
     * @param totals the statistics of all chunks of each namespace
     */
    static Snapshot of(
            Snapshot documents, Map<Namespace, EngineFindings> found, Map<Namespace, VisibleSegment.Totals> totals)
            throws IOException {
        Map<Namespace, DirectoryReader> readers = new LinkedHashMap<>();
        long chunks = 0;
        long words = 0;
        for (Map.Entry<Namespace, EngineFindings> one : found.entrySet()) {
            VisibleSegment.Totals all = totals.getOrDefault(one.getKey(), VisibleSegment.Totals.NONE);
            Map<String, Long> holders = new HashMap<>();
            // The engine also counts chunks of earlier versions that are about to be removed.
            one.getValue().holders().forEach((word, count) -> holders.put(word, Math.min(count, all.withWords())));
            readers.put(one.getKey(), CandidateReader.of(index(documents, one.getValue()), holders));
            chunks += all.withWords();
            words += all.words();
        }
        return Snapshot.ofCandidates(readers, chunks, words);
    }

    private static DirectoryReader index(Snapshot documents, EngineFindings found) throws IOException {
        ByteBuffersDirectory memory = new ByteBuffersDirectory();
        IndexWriterConfig config = new IndexWriterConfig()
                .setCodec(new StoreCodec())
                .setSimilarity(KeywordRetriever.SIMILARITY)
                .setMergePolicy(NoMergePolicy.INSTANCE)
                .setMaxBufferedDocs(Integer.MAX_VALUE)
                .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH); // one segment, whose words are counted once
        try (IndexWriter writer = new IndexWriter(memory, config)) {
            writer.addDocument(gap(GAP)); // an index without anything has no fields
            writer.addDocument(words(found));
            for (Map.Entry<String, List<EngineChunk>> document :
                    found.candidates().entrySet()) {
                int number =
                        DocumentLookup.numberById(documents, document.getKey()).orElseThrow();
                writer.addDocuments(block(documents.document(number), document.getValue()));
            }
            writer.deleteDocuments(new Term(DocumentSchema.KIND, WORDS));
            writer.commit();
        }
        return DirectoryReader.open(memory);
    }

    private static Document gap(String kind) {
        Document gap = new Document();
        gap.add(new StringField(DocumentSchema.KIND, kind, Field.Store.NO));
        return gap;
    }

    private static Document words(EngineFindings found) {
        Document words = gap(WORDS);
        List<String> held = found.holders().entrySet().stream()
                .filter(word -> word.getValue() > 0)
                .map(Map.Entry::getKey)
                .toList();
        words.add(new Field(DocumentSchema.CONTENT, new PrecomputedTokenStream(held), DocumentSchema.CONTENT_TYPE));
        return words;
    }

    private static List<Document> block(StoredDocument document, List<EngineChunk> chunks) throws IOException {
        List<EngineChunk> inOrder = new ArrayList<>(chunks);
        inOrder.sort(Comparator.comparingInt(EngineChunk::index));
        int up = inOrder.size() + gaps(inOrder);
        List<Document> block = new ArrayList<>();
        int next = inOrder.getFirst().index();
        for (EngineChunk chunk : inOrder) {
            if (chunk.index() != next) {
                block.add(gap(GAP));
                up--;
            }
            block.add(DocumentSchema.chunk(document, chunk.analysed(), up, chunk.vectors()));
            up--;
            next = chunk.index() + 1;
        }
        block.add(DocumentSchema.document(document, 0));
        return block;
    }

    private static int gaps(List<EngineChunk> inOrder) {
        int gaps = 0;
        for (int i = 1; i < inOrder.size(); i++) {
            gaps += inOrder.get(i).index() == inOrder.get(i - 1).index() + 1 ? 0 : 1;
        }
        return gaps;
    }
}
