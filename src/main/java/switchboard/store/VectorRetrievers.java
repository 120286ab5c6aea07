package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import switchboard.call.ToolException;

/**
 * Vector retrieval with one model or several, if the searched namespaces have different ones. Cosines of different
 * models can't be compared, so they are only combined by rank.
 */
final class VectorRetrievers {
    private static final Term CHUNKS = new Term(DocumentSchema.KIND, DocumentSchema.CHUNK);

    /** No vectors. */
    static final VectorRetrievers NONE = new VectorRetrievers(List.of());

    private final List<VectorRetriever> legs;

    private VectorRetrievers(List<VectorRetriever> legs) {
        this.legs = legs;
    }

    static VectorRetrievers of(IndexSearcher searcher, List<SearchRequest.QueryVector> vectors) throws IOException {
        List<VectorRetriever> legs = new ArrayList<>();
        for (SearchRequest.QueryVector vector : vectors) {
            legs.add(VectorRetriever.of(searcher, vector));
        }
        return new VectorRetrievers(legs);
    }

    /** The retrievers that have vectors to compare with. */
    VectorRetrievers usable() {
        return new VectorRetrievers(
                legs.stream().filter(VectorRetriever::usable).toList());
    }

    boolean isEmpty() {
        return legs.isEmpty();
    }

    /** The only retriever; empty if there are none or several. */
    Optional<VectorRetriever> single() {
        return legs.size() == 1 ? Optional.of(legs.getFirst()) : Optional.empty();
    }

    /** Whether there are vectors of several models. */
    boolean mixed() {
        return legs.size() > 1;
    }

    /** The nearest chunks of each model that pass the filter, nearest first. */
    List<List<ScoredChunk>> top(int count, Optional<Query> filter) throws IOException {
        List<List<ScoredChunk>> tops = new ArrayList<>();
        for (VectorRetriever leg : legs) {
            tops.add(leg.top(count, filter));
        }
        return tops;
    }

    /** The cosines of {@code chunks} (ascending). Chunks without a vector are left out. */
    Map<Integer, Double> cosines(int[] chunks) throws IOException {
        Map<Integer, Double> cosines = new HashMap<>();
        for (VectorRetriever leg : legs) {
            leg.cosines(chunks).forEach(cosines::putIfAbsent);
        }
        return cosines;
    }

    /**
     * Where the cosines of chunks lie in the ranges of their models, as far as those are known.
     *
     * @param chunks ascending
     * @param cosines their cosines, as {@link #cosines} gives them
     */
    Map<Integer, Double> places(int[] chunks, Map<Integer, Double> cosines) throws IOException {
        if (legs.size() == 1) {
            return legs.getFirst().places(cosines);
        }
        Map<Integer, Double> places = new HashMap<>();
        for (VectorRetriever leg : legs) {
            leg.places(leg.cosines(chunks)).forEach(places::putIfAbsent);
        }
        return places;
    }

    /**
     * Checks the lengths of the query's vectors, for searches by vectors alone.
     *
     * @throws ToolException {@code CONFLICT} if all vectors of a model have another length than the query's
     */
    void requireLength() {
        legs.forEach(VectorRetriever::requireLength);
    }

    /** Why some chunks have no usable vector; empty if all have. */
    Optional<String> lacking(IndexSearcher searcher) throws IOException {
        if (sum(VectorRetriever::vectors) + unreadable(searcher.getIndexReader()::docFreq)
                        >= searcher.getIndexReader().docFreq(CHUNKS)
                || sum(VectorRetriever::liveVectors) + unreadable(term -> searcher.count(new TermQuery(term)))
                        >= searcher.count(new TermQuery(CHUNKS))) {
            return Optional.empty();
        }
        TreeSet<String> others = new TreeSet<>();
        for (FieldInfo info : legs.getFirst().otherVectors()) {
            if (legs.stream().noneMatch(leg -> leg.reads(info.name))) {
                others.add(DocumentSchema.modelOf(info.name) + " (" + info.getVectorDimension() + " dimensions)");
            }
        }
        String wanted = legs.stream().map(VectorRetriever::describe).collect(Collectors.joining(" or "));
        String which = usable().isEmpty() ? "No document has" : "Some documents have no";
        String instead = others.isEmpty() ? "" : "; there are vectors of " + String.join(", ", others);
        return Optional.of(which + " vectors of the model " + wanted + instead
                + ". Those were searched by keyword only. `switchboard reindex` computes the vectors.");
    }

    /** How many chunks are in scripts that these models don't know. */
    private long unreadable(TermCount count) throws IOException {
        Set<String> models = legs.stream().map(VectorRetriever::model).collect(Collectors.toSet());
        long sum = 0;
        for (String model : models) {
            sum += count.of(new Term(DocumentSchema.UNREADABLE, model));
        }
        return sum;
    }

    /** In how many Lucene documents a term is. */
    private interface TermCount {
        long of(Term term) throws IOException;
    }

    /** A count of one retriever. */
    private interface VectorCount {
        long of(VectorRetriever leg) throws IOException;
    }

    private long sum(VectorCount count) throws IOException {
        long sum = 0;
        for (VectorRetriever leg : legs) {
            sum += count.of(leg);
        }
        return sum;
    }
}
