package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues.DocIndexIterator;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.VectorUtil;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.embed.CosineCalibration;
import switchboard.embed.ModelTraits;

/**
 * Vector retrieval with one model. Few vectors, or few that pass the filter, are all compared. Of more, graphs (HNSW; Malkov and
 * Yashunin 2016) of int8 vectors find candidates; in small segments all are compared. Scores always come from the full vectors.
 */
final class VectorRetriever {
    /** Up to this many vectors, all are compared. */
    private static final int COMPARE_ALL = 10_000;

    /** Additional candidates from the graph, to make up for what it misses and for int8 rounding. */
    private static final int OVERSAMPLE = 150;

    /** The least share of {@link #OVERSAMPLE} where most vectors are hidden from the caller. */
    private static final double LEAST_SHARE = .5;

    /** Where sentences are compared, of so many chunks for each one that is wanted. */
    private static final int PER_HIT = 4;

    private final IndexSearcher searcher;
    private final String field;
    private final float[] query;
    private final ModelTraits traits;
    private final long vectors;
    private final long hidden;

    private VectorRetriever(IndexSearcher searcher, SearchRequest.QueryVector vector) throws IOException {
        this.searcher = searcher;
        this.query = vector.values();
        this.field = VectorFields.name(vector.model(), query.length);
        this.traits = vector.traits();
        List<Count> counts = EachSegment.read(searcher, this::count);
        this.vectors = counts.stream().mapToLong(Count::vectors).sum();
        this.hidden = counts.stream().mapToLong(Count::hidden).sum();
    }

    /** The vectors of one segment, and those that the caller may not see. */
    private record Count(int vectors, int hidden) {}

    private Count count(LeafReaderContext segment) throws IOException {
        return new Count(
                ReadableDocuments.vectors(segment.reader(), field, COMPARE_ALL + 1),
                ReadableDocuments.hiddenVectors(segment.reader(), field));
    }

    static VectorRetriever of(IndexSearcher searcher, SearchRequest.QueryVector vector) throws IOException {
        return new VectorRetriever(searcher, vector);
    }

    /** Whether existing documents have vectors of this model with another length than the query's. */
    boolean otherLength() throws IOException {
        return !otherVectors(model()::equals).isEmpty();
    }

    /** Whether there are vectors to compare with. */
    boolean usable() {
        return vectors > 0;
    }

    /** The fields of other vectors that existing documents have, of other models or other lengths. */
    List<FieldInfo> otherVectors() throws IOException {
        return otherVectors(_ -> true);
    }

    private List<FieldInfo> otherVectors(Predicate<String> models) throws IOException {
        List<FieldInfo> others = new ArrayList<>();
        for (LeafReaderContext leaf : searcher.getLeafContexts()) {
            for (FieldInfo info : leaf.reader().getFieldInfos()) {
                if (VectorFields.isVectors(info.name)
                        && !info.name.equals(field)
                        && models.test(VectorFields.model(info.name))
                        && exists(leaf, info.name)) {
                    others.add(info);
                }
            }
        }
        return others;
    }

    /** Whether an existing document has a vector in {@code field}: the field stays in the files for a while. */
    private static boolean exists(LeafReaderContext leaf, String field) throws IOException {
        return ReadableDocuments.vectors(leaf.reader(), field, 1) > 0;
    }

    /**
     * Checks the length of the query's vector, for searches by vectors alone.
     *
     * @throws ToolException {@code CONFLICT} if all vectors of the model have another length than the query's
     */
    void requireLength() throws IOException {
        if (vectors > 0) {
            return;
        }
        String model = model();
        Optional<FieldInfo> other = otherVectors(model::equals).stream().findFirst();
        if (other.isPresent()) {
            throw new ToolException(
                    FailureKind.CONFLICT,
                    "The vectors of the model " + model + " have " + other.get().getVectorDimension()
                            + " dimensions, the query's has " + query.length
                            + ". The operator computes them again with `switchboard reindex`.");
        }
    }

    /** Whether {@code name} is the field of these vectors. */
    boolean reads(String name) {
        return field.equals(name);
    }

    String model() {
        return VectorFields.model(field);
    }

    /** The model, for messages. */
    String describe() {
        return VectorFields.model(field) + " (" + query.length + " dimensions)";
    }

    /** The nearest chunks that pass the filter, nearest first. Ties are ordered as in the result. */
    List<ScoredChunk> top(int count, Optional<Query> filter) throws IOException {
        if (filter.isPresent() || vectors <= COMPARE_ALL) {
            Optional<List<ScoredChunk>> all = compareAll(count, filter);
            if (all.isPresent()) {
                return all.get();
            }
        }
        int candidates = candidates(count) + oversample();
        Query near = new NearestVectorQuery(field, query, candidates, filter.orElse(null));
        ScoreDoc[] found = searcher.search(near, candidates).scoreDocs;
        int[] ascending =
                java.util.Arrays.stream(found).mapToInt(doc -> doc.doc).sorted().toArray();
        return nearest(ascending, count);
    }

    /** How many chunks are compared by their sentences, too: the nearest sentence need not be in one of the nearest chunks. */
    private int candidates(int count) {
        return traits.sentences() ? PER_HIT * count : count;
    }

    /**
     * How many candidates to ask for beyond those wanted. The search also visits hidden vectors and so looks at more of the graph.
     * The more are hidden, the fewer candidates are asked for; at least {@link #LEAST_SHARE} of {@link #OVERSAMPLE}.
     */
    private int oversample() {
        double share = vectors / (double) (vectors + hidden);
        return (int) (OVERSAMPLE * Math.max(LEAST_SHARE, share));
    }

    /** The nearest of {@code chunks} (ascending). */
    private List<ScoredChunk> nearest(int[] chunks, int count) throws IOException {
        List<ScoredChunk> exact = new ArrayList<>(chunks.length);
        cosines(chunks).forEach((chunk, cosine) -> exact.add(new ScoredChunk(chunk, cosine)));
        return TieBreaker.best(searcher, exact, count);
    }

    /** The nearest by comparing all that pass the filter; empty if there are too many. */
    private Optional<List<ScoredChunk>> compareAll(int count, Optional<Query> filter) throws IOException {
        Weight weight = filter.isPresent()
                ? searcher.createWeight(searcher.rewrite(filter.get()), ScoreMode.COMPLETE_NO_SCORES, 1)
                : null;
        ApproximateTopK approximateTopK = new ApproximateTopK();
        for (LeafReaderContext leaf : searcher.getLeafContexts()) {
            FloatVectorValues values = leaf.reader().getFloatVectorValues(field);
            Scorer passing = weight == null ? null : weight.scorer(leaf);
            if (values == null || values.size() == 0 || (weight != null && passing == null)) {
                continue;
            }
            approximateTopK.add(
                    values.rescorer(query).bulk(passing == null ? null : passing.iterator()), leaf, COMPARE_ALL);
            if (approximateTopK.size() > COMPARE_ALL) {
                return Optional.empty();
            }
        }
        return Optional.of(nearest(approximateTopK.best(candidates(count)), count));
    }

    /** The cosines of {@code chunks} (ascending). Chunks without a vector are left out. */
    Map<Integer, Double> cosines(int[] chunks) throws IOException {
        Map<Integer, Double> cosines = new LinkedHashMap<>();
        read(chunks, (chunk, vector) -> cosines.put(chunk, (double) VectorUtil.dotProduct(query, vector)));
        if (traits.sentences()) {
            new SentenceVectors(searcher, field, query).raise(cosines);
        }
        return cosines;
    }

    /** The normalized cosine; empty if the model's usual cosines are not known. */
    OptionalDouble normalized(double cosine) {
        return calibration().isPresent()
                ? OptionalDouble.of(calibration().get().normalize(cosine))
                : OptionalDouble.empty();
    }

    /** The usual cosines of the model, if they are known. */
    Optional<CosineCalibration> calibration() {
        return traits.cosines();
    }

    /** The languages, usual cosines and weight of the model that made the query's vector. */
    ModelTraits traits() {
        return traits;
    }

    /** For each of {@code chunks}, the mean of its cosines with the chunks in {@code best}. */
    Map<Integer, Double> nearness(int[] chunks, int[] best) throws IOException {
        float[] sum = new float[query.length];
        read(best, (chunk, vector) -> VectorUtil.add(sum, vector));
        Map<Integer, Double> nearness = new LinkedHashMap<>();
        read(chunks, (chunk, vector) -> nearness.put(chunk, (double) VectorUtil.dotProduct(sum, vector) / best.length));
        return nearness;
    }

    /** Receives the vector of a chunk, which is valid only during the call. */
    private interface VectorReader {
        void take(int chunk, float[] vector);
    }

    private void read(int[] chunks, VectorReader reading) throws IOException {
        EachSegment.read(searcher, chunks, (segment, there) -> {
            FloatVectorValues values = segment.reader().getFloatVectorValues(field);
            if (values == null) {
                return;
            }
            DocIndexIterator having = values.iterator();
            for (int chunk : there) {
                int target = chunk - segment.docBase;
                if (having.docID() < target) {
                    having.advance(target);
                }
                if (having.docID() == target) {
                    reading.take(chunk, values.vectorValue(having.index()));
                }
            }
        });
    }
}
