package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.DocumentScores;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.NamespaceQueryVectors;
import switchboard.store.SearchRequest;
import switchboard.store.StoredDocument;

/**
 * Orders documents for a query. The store ranks chunks; a document is as good as its chunks.
 *
 * <p>By words: the chunks' BM25 scores ({@link WeightedSearchText} says how much which words count), best first, count in full, half, a
 * quarter and so on; the sum {@code s} becomes
 * {@code s / (1 + s)}. By vectors: the best chunk's cosine. Both together: the best chunk's score of {@link Fusion#standard}, or
 * {@link RankFusion}. All lie between 0 and 1, ties go by path.
 */
final class Ranking {
    private static final int DEPTH = 100;
    private static final int MAX_ROUNDS = 4;

    private static final Comparator<Scored> BEST_FIRST = Comparator.comparingDouble(Scored::score)
            .reversed()
            .thenComparing(Scored::namespace)
            .thenComparing(Scored::source);

    private final CallerStore store;
    private final NamespaceQueryVectors vectors;
    private final QueryFusion fusion;

    Ranking(CallerStore store, NamespaceQueryVectors vectors, QueryFusion fusion) {
        this.store = store;
        this.vectors = vectors;
        this.fusion = fusion;
    }

    /**
     * A document with its score.
     *
     * @param chunk the number of the chunk that matched best; empty if there was no query
     */
    record Ranked(StoredDocument document, double score, OptionalInt chunk) {
        Ranked scored(double other) {
            return new Ranked(document, other, chunk);
        }
    }

    /**
     * A query.
     *
     * @param words the query's text
     * @param limit maximum number of documents
     * @param minScore minimum score
     * @param caller who asks: only what it may read is found, and counts
     */
    record Query(String words, List<Namespace> namespaces, Filter filter, int limit, double minScore, Caller caller) {
        /** The query that a caller typed, with the conditions in its text and {@code more} of them. */
        static Query of(
                String typed,
                List<Filter> more,
                List<Namespace> namespaces,
                int limit,
                double minScore,
                Caller caller) {
            SearchQuery text = SearchQuery.of(typed);
            return new Query(text.words(), namespaces, text.filter(more), limit, minScore, caller);
        }

        /** The same with this minimum score. */
        Query atLeast(double score) {
            return new Query(words, namespaces, filter, limit, score, caller);
        }

        Query deep() {
            return new Query(words, namespaces, filter, Math.max(DEPTH, 3 * limit), 0, caller);
        }
    }

    /** The documents, best first; and why some could not be found, or not by vectors. */
    record RankedDocuments(List<Ranked> documents, Optional<String> reason, boolean byWordsAlone) {
        RankedDocuments {
            documents = List.copyOf(documents);
        }

        static RankedDocuments words(List<Ranked> documents, Optional<String> reason) {
            return new RankedDocuments(documents, reason, true);
        }

        static RankedDocuments vectors(List<Ranked> documents, Optional<String> reason) {
            return new RankedDocuments(documents, reason, false);
        }

        /** What a ranking by both was made by in fact: {@code keyword} if vectors were not used at all, or {@code hybrid}. */
        String mode() {
            return byWordsAlone ? "keyword" : "hybrid";
        }

        /** The same with these documents. */
        RankedDocuments with(List<Ranked> others) {
            return new RankedDocuments(others, reason, byWordsAlone);
        }

        /** The same for one more reason. */
        RankedDocuments because(Optional<String> other) {
            return new RankedDocuments(documents, together(other, reason), byWordsAlone);
        }
    }

    /**
     * A scored document. Most are dropped before they are read.
     *
     * @param best see {@link DocumentScores.Scores}
     */
    private record Scored(Namespace namespace, String id, String source, int best, double score) {
        static Scored of(DocumentScores.Scores one, double score) {
            return new Scored(one.namespace(), one.id(), one.source(), one.best(), score);
        }

        Scored with(double other) {
            return new Scored(namespace, id, source, best, other);
        }
    }

    /** The results of one retriever, best first, and why not everything was searched, or not by vectors. */
    private record RetrievedChunks(List<Scored> best, Optional<String> reason, boolean byWordsAlone) {
        static RetrievedChunks none(Optional<String> reason) {
            return new RetrievedChunks(List.of(), reason, true);
        }

        RetrievedChunks because(Optional<String> other) {
            return new RetrievedChunks(best, together(other, reason), byWordsAlone);
        }
    }

    /** Keyword search. A query without words returns everything that passes the filter, ordered by path. */
    Future<RankedDocuments> byWords(Query query) {
        return query.words().isBlank()
                ? filtered(query).map(found -> RankedDocuments.words(found, Optional.empty()))
                : words(query).compose(retrieved -> read(retrieved.best(), query)
                        .map(found -> RankedDocuments.words(found, retrieved.reason())));
    }

    private Future<RetrievedChunks> words(Query query) {
        return scores(query, List.of(), new Fusion.KeywordOnly(), Ranking::decaying);
    }

    /** The documents themselves; one that was removed meanwhile is left out. */
    private Future<List<Ranked>> read(List<Scored> best, Query query) {
        Map<String, Scored> scores = new LinkedHashMap<>();
        best.stream().limit(query.limit()).forEach(one -> scores.put(one.id(), one));
        return store.of(query.caller())
                .get(query.namespaces(), List.copyOf(scores.keySet()))
                .map(found -> found.stream()
                        .flatMap(document ->
                                Optional.ofNullable(scores.get(document.id()))
                                        .map(scored -> ranked(document, scored))
                                        .stream())
                        .toList());
    }

    private static Ranked ranked(StoredDocument document, Scored scored) {
        return new Ranked(document, scored.score(), OptionalInt.of(document.chunkCount() - scored.best()));
    }

    private Future<List<Ranked>> filtered(Query query) {
        boolean everything = query.filter() instanceof Filter.All;
        if (everything || query.minScore() > 0) {
            return Future.succeededFuture(List.of());
        }
        return store.of(query.caller())
                .list(new ListRequest(
                        query.namespaces(), query.filter(), ListRequest.Order.BY_SOURCE, 0, query.limit()))
                .map(page -> page.documents().stream()
                        .map(document -> new Ranked(document, 0, OptionalInt.empty()))
                        .toList());
    }

    /**
     * Vector search; empty with the reason if there are no vectors. Fails if they have another length than the
     * query's.
     */
    Future<RankedDocuments> byVectors(Query query) {
        return nearness(query).compose(retrieved -> read(retrieved.best(), query)
                .map(found -> RankedDocuments.vectors(found, retrieved.reason())));
    }

    private Future<RetrievedChunks> nearness(Query query) {
        return withVectors(query, new Fusion.VectorOnly());
    }

    private Future<RetrievedChunks> withVectors(Query query, Fusion by) {
        if (query.words().isBlank()) {
            return Future.succeededFuture(RetrievedChunks.none(Optional.of("The query has no words.")));
        }
        if (query.namespaces().isEmpty()) {
            return Future.succeededFuture(RetrievedChunks.none(
                    Optional.of("There is no collection yet that you may search. collection_add makes one.")));
        }
        return vectors.of(query.words(), query.namespaces())
                .compose(attempt -> attempt.values().isEmpty()
                        ? Future.succeededFuture(RetrievedChunks.none(attempt.missing()))
                        : scores(query, attempt.values(), by, Ranking::nearest)
                                .map(retrieved -> retrieved.because(attempt.missing())));
    }

    /** The highest score that {@link #byBoth} gives. */
    double most() {
        return switch (fusion) {
            case LINEAR -> 1;
            case RRF -> RankFusion.MAX;
        };
    }

    /** Both; keyword search only, with the reason, if there are no vectors. */
    Future<RankedDocuments> byBoth(Query query) {
        return switch (fusion) {
            case LINEAR -> byScores(query);
            case RRF -> byRanks(query);
        };
    }

    private Future<RankedDocuments> byScores(Query query) {
        return withVectors(query, Fusion.standard()).compose(both -> {
            if (both.byWordsAlone()) {
                return byWords(query).map(found -> found.because(both.reason()));
            }
            return read(both.best(), query).map(found -> RankedDocuments.vectors(found, both.reason()));
        });
    }

    private Future<RankedDocuments> byRanks(Query query) {
        return nearnessIfComparable(query.deep()).compose(near -> {
            if (near.best().isEmpty() && near.reason().isPresent()) {
                return byWords(query).map(found -> found.because(near.reason()));
            }
            return words(query.deep()).compose(words -> read(fused(words.best(), near.best()), query)
                    .map(found -> RankedDocuments.vectors(found, together(near.reason(), words.reason()))));
        });
    }

    /** Treats vectors of another length than the query's as missing, because keywords can be used. */
    private Future<RetrievedChunks> nearnessIfComparable(Query query) {
        return nearness(query)
                .recover(failure ->
                        failure instanceof ToolException known && known.failed().kind() == FailureKind.CONFLICT
                                ? Future.succeededFuture(RetrievedChunks.none(
                                        Optional.of(known.failed().message())))
                                : Future.failedFuture(failure));
    }

    /** The fusion of two rankings, each best first. */
    private static List<Scored> fused(List<Scored> words, List<Scored> vectors) {
        Map<String, Scored> all = new LinkedHashMap<>();
        add(all, words, RankFusion.WORDS);
        add(all, vectors, RankFusion.VECTORS);
        return all.values().stream().sorted(BEST_FIRST).toList();
    }

    private static void add(Map<String, Scored> all, List<Scored> retrieved, double weight) {
        for (int rank = 1; rank <= retrieved.size(); rank++) {
            Scored one = retrieved.get(rank - 1);
            double score = RankFusion.score(weight, rank);
            // The chunk is that of the retriever that counts more for the document.
            all.merge(
                    one.id(), one.with(score), (a, b) -> (a.score() >= b.score() ? a : b).with(a.score() + b.score()));
        }
    }

    private static Optional<String> together(Optional<String> one, Optional<String> other) {
        return Stream.concat(one.stream(), other.stream())
                .reduce((first, second) -> first.contains(second) ? first : first + " " + second);
    }

    /** Computes a document's score from those of its chunks, best first. */
    private interface ScoreAggregation {
        double of(List<Double> scores);
    }

    private Future<RetrievedChunks> scores(
            Query query, List<SearchRequest.QueryVector> vector, Fusion by, ScoreAggregation whole) {
        return scores(query, vector, by, query.filter(), new LinkedHashMap<>(), 1)
                .map(round -> new RetrievedChunks(
                        round.found().values().stream()
                                .map(one -> Scored.of(one, whole.of(one.scores())))
                                .filter(scored -> scored.score() >= query.minScore())
                                .sorted(BEST_FIRST)
                                .limit(query.limit())
                                .toList(),
                        round.reason(),
                        round.byWordsAlone()));
    }

    /** The documents found so far, by id. */
    private record Round(Map<String, DocumentScores.Scores> found, Optional<String> reason, boolean byWordsAlone) {}

    /** Searches until there are documents enough: the chunks of a few long documents may be all of the first round. */
    private Future<Round> scores(
            Query query,
            List<SearchRequest.QueryVector> vector,
            Fusion by,
            Filter filter,
            Map<String, DocumentScores.Scores> found,
            int number) {
        SearchRequest request =
                new SearchRequest(query.words(), vector, query.namespaces(), filter, depth(query, by), by);
        return store.of(query.caller()).scores(request).compose(result -> {
            result.documents().forEach(one -> found.putIfAbsent(one.id(), one));
            boolean enough = result.chunks() < request.topK() || found.size() >= query.limit() || number == MAX_ROUNDS;
            return enough
                    ? Future.succeededFuture(new Round(
                            found, together(result.vectorsNotUsed(), result.leftOut()), result.byWordsAlone()))
                    : scores(query, vector, by, without(query.filter(), found.keySet()), found, number + 1);
        });
    }

    /** How many chunks a round has. A keyword score adds up all that match; the others are that of the best chunk. */
    private static int depth(Query query, Fusion by) {
        return by instanceof Fusion.WeightedSum
                ? Math.clamp(10L * query.limit(), DEPTH, SearchRequest.MAX_TOP_K)
                : SearchRequest.MAX_TOP_K;
    }

    private static Filter without(Filter filter, Set<String> ids) {
        List<Filter> known = ids.stream().map(id -> Filter.equal("doc_id", id)).toList();
        return new Filter.And(List.of(filter, new Filter.Not(new Filter.Or(known))));
    }

    private static double decaying(List<Double> scores) {
        double sum = 0;
        double share = 1;
        for (double score : scores) {
            sum += share * score;
            share /= 2;
        }
        return sum / (1 + sum);
    }

    private static double nearest(List<Double> scores) {
        return Math.clamp(scores.getFirst(), 0, 1);
    }
}
