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
import switchboard.embed.CosineCalibration;
import switchboard.embed.ModelTraits;

/**
 * Vector retrieval with one model or several. Cosines of different models can't be compared, but normalized
 * ones can: where the usual cosines of all models are known, each cosine becomes the one of the first model that has the
 * same normalized value.
 */
final class VectorRetrievers {
    private static final Term CHUNKS = new Term(DocumentSchema.KIND, DocumentSchema.CHUNK);
    private static final Term DOCUMENTS = new Term(DocumentSchema.KIND, DocumentSchema.DOCUMENT);

    /** No vectors. */
    static final VectorRetrievers NONE = new VectorRetrievers(List.of(), Set.of());

    private final List<VectorRetriever> retrievers;

    /** The models that the searched documents should have vectors of. */
    private final Set<String> stored;

    private VectorRetrievers(List<VectorRetriever> retrievers, Set<String> stored) {
        this.retrievers = retrievers;
        this.stored = stored;
    }

    static VectorRetrievers of(IndexSearcher searcher, List<SearchRequest.QueryVector> vectors) throws IOException {
        List<VectorRetriever> retrievers = new ArrayList<>();
        for (SearchRequest.QueryVector vector : vectors) {
            retrievers.add(VectorRetriever.of(searcher, vector));
        }
        return new VectorRetrievers(
                retrievers,
                vectors.stream().flatMap(vector -> vector.stored().stream()).collect(Collectors.toSet()));
    }

    /** The retrievers that have vectors to compare with. */
    VectorRetrievers usable() {
        return new VectorRetrievers(
                retrievers.stream().filter(VectorRetriever::usable).toList(), stored);
    }

    /** Whether no vectors are compared. */
    boolean isEmpty() {
        return retrievers.isEmpty();
    }

    /** The only retriever; empty if there are none or several. */
    Optional<VectorRetriever> single() {
        return retrievers.size() == 1 ? Optional.of(retrievers.getFirst()) : Optional.empty();
    }

    /** Whether there are vectors of several models that can't be compared, because the usual cosines of one are not known. */
    boolean incomparable() {
        return retrievers.size() > 1
                && retrievers.stream()
                        .anyMatch(retriever -> retriever.calibration().isEmpty());
    }

    /** What cosines of the model that knows {@code language} best are worth, see {@link ModelTraits#languageWeight}; 1 without models. */
    double languageWeight(Optional<String> language) {
        return retrievers.stream()
                .mapToDouble(retriever -> retriever.traits().languageWeight(language))
                .max()
                .orElse(1);
    }

    /**
     * What cosines count, as a fraction of the configured weight. It is the same for all models, or their chunks could not be
     * compared: the highest of the models; 1 without models.
     */
    double weight() {
        return retrievers.stream()
                .mapToDouble(retriever -> retriever.traits().weight())
                .max()
                .orElse(1);
    }

    /** A cosine of one of the models on the scale of all. */
    private double similarity(VectorRetriever retriever, double cosine) {
        if (retrievers.size() == 1 || incomparable()) {
            return cosine;
        }
        CosineCalibration scale = retrievers.getFirst().calibration().orElseThrow();
        return scale.denormalize(retriever.normalized(cosine).orElseThrow());
    }

    /** The nearest chunks that pass the filter, nearest first; of each model, on the scale of all if there is one. */
    List<List<ScoredChunk>> top(int count, Optional<Query> filter) throws IOException {
        List<List<ScoredChunk>> tops = new ArrayList<>();
        for (VectorRetriever retriever : retrievers) {
            tops.add(retriever.top(count, filter).stream()
                    .map(one -> new ScoredChunk(one.chunk(), similarity(retriever, one.score())))
                    .toList());
        }
        return tops;
    }

    /** The scores of {@code chunks} (ascending). Chunks without a vector are left out. */
    Map<Integer, CandidateScores.VectorScore> scores(int[] chunks) throws IOException {
        Map<Integer, CandidateScores.VectorScore> scores = new HashMap<>();
        for (VectorRetriever retriever : retrievers) {
            retriever
                    .cosines(chunks)
                    .forEach((chunk, cosine) -> scores.putIfAbsent(
                            chunk, new CandidateScores.VectorScore(retriever, cosine, similarity(retriever, cosine))));
        }
        return scores;
    }

    /**
     * Checks the lengths of the query's vectors, for searches by vectors alone.
     *
     * @throws ToolException {@code CONFLICT} if all vectors of a model have another length than the query's
     */
    void requireLength() throws IOException {
        for (VectorRetriever retriever : retrievers) {
            retriever.requireLength();
        }
    }

    /**
     * Why some chunks have no usable vector; empty if all have, as far as their models know their scripts.
     *
     * @param words whether they are searched by keyword
     */
    Optional<String> lacking(IndexSearcher searcher, boolean words) throws IOException {
        if (embedded(searcher) && !otherLength()) {
            return Optional.empty();
        }
        TreeSet<String> others = new TreeSet<>();
        for (FieldInfo info : retrievers.getFirst().otherVectors()) {
            if (retrievers.stream().noneMatch(retriever -> retriever.reads(info.name))) {
                others.add(VectorFields.model(info.name) + " (" + info.getVectorDimension() + " dimensions)");
            }
        }
        String wanted = retrievers.stream().map(VectorRetriever::describe).collect(Collectors.joining(" or "));
        String which = usable().retrievers.isEmpty() ? "No document has" : "Some documents have no";
        String instead = others.isEmpty() ? "" : "; there are vectors of " + String.join(", ", others);
        return Optional.of(which + " vectors of the model " + wanted + instead
                + (words ? ". Those were searched by keyword only." : ". Those were not searched.")
                + " `switchboard reindex` computes the vectors.");
    }

    private boolean otherLength() throws IOException {
        for (VectorRetriever retriever : retrievers) {
            if (retriever.otherLength()) {
                return true;
            }
        }
        return false;
    }

    /** Whether all documents have the vectors that their models made. Each part of a document names them. */
    private boolean embedded(IndexSearcher searcher) throws IOException {
        List<Term> models = stored.stream()
                .map(model -> MetadataTerms.term("model", new Filter.Value.TextValue(model)))
                .map(term -> new Term(MetadataTerms.FIELD, term))
                .toList();
        long lacking = EachSegment.read(searcher, segment -> lacking(models, segment.reader()::docFreq)).stream()
                .mapToLong(Long::longValue)
                .sum();
        return lacking <= 0 || lacking(models, term -> searcher.count(new TermQuery(term))) <= 0;
    }

    private static long lacking(List<Term> models, TermCount count) throws IOException {
        long lacking = count.of(CHUNKS) + count.of(DOCUMENTS);
        for (Term model : models) {
            lacking -= count.of(model);
        }
        return lacking;
    }

    /** Counts the Lucene documents with a term. */
    private interface TermCount {
        long of(Term term) throws IOException;
    }
}
