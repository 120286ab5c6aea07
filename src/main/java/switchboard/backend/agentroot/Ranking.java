package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.Hit;
import switchboard.store.ListRequest;
import switchboard.store.QueryVectors;
import switchboard.store.SearchRequest;
import switchboard.store.Space;
import switchboard.store.StoredDocument;

/**
 * Orders documents for a query. The store ranks chunks; a document is as good as its chunks.
 *
 * <p>By words: the chunks' BM25 scores ({@link FoundBy} says how much which words count), best first, count in full, half, a
 * quarter and so on; the sum {@code s} becomes
 * {@code s / (1 + s)}. By vectors: the best chunk's cosine. Both lie between 0 and 1, ties go by path. Both together:
 * reciprocal rank fusion as agentroot documents it: rank {@code r} gives {@code 2 / (60 + r)} by words and {@code
 * 1 / (60 + r)} by vectors, plus 0.05 within the first three of either, else 0.02 within the first ten.
 */
final class Ranking {
    /** The most that {@link #fused} can give: first in both. */
    static final double MAX_FUSED = 3.0 / 61 + 0.1;

    private static final int DEPTH = 100;
    private static final int MAX_ROUNDS = 4;

    private static final Comparator<Ranked> BEST_FIRST = Comparator.comparingDouble(Ranked::score)
            .reversed()
            .thenComparing(ranked -> ranked.document().space())
            .thenComparing(ranked -> ranked.document().source());

    private final Supplier<DocumentStore> store;
    private final QueryVectors vectors;

    Ranking(Supplier<DocumentStore> store, QueryVectors vectors) {
        this.store = store;
        this.vectors = vectors;
    }

    /** A document with its score. */
    record Ranked(StoredDocument document, double score) {}

    /**
     * What to look for and where.
     *
     * @param words the query
     * @param limit how many documents at most
     * @param minScore the least score
     */
    record Query(String words, List<Space> spaces, Filter filter, int limit, double minScore) {
        Query deep() {
            return new Query(words, spaces, filter, Math.max(DEPTH, 3 * limit), 0);
        }
    }

    /** The documents, best first; and why vectors took no part in finding some or all of them. */
    record Found(List<Ranked> documents, Optional<String> reason, boolean byWordsAlone) {
        Found {
            documents = List.copyOf(documents);
        }

        static Found words(List<Ranked> documents, Optional<String> reason) {
            return new Found(documents, reason, true);
        }

        static Found vectors(List<Ranked> documents, Optional<String> reason) {
            return new Found(documents, reason, false);
        }

        /** The same with these documents. */
        Found with(List<Ranked> others) {
            return new Found(others, reason, byWordsAlone);
        }
    }

    /** By words. A query without any gives what passes the filter, in the order of the paths. */
    Future<List<Ranked>> byWords(Query query) {
        if (query.words().isBlank()) {
            return filtered(query);
        }
        return chunks(query, Optional.empty(), query.filter(), new LinkedHashMap<>(), 1)
                .map(scores -> best(scores, query, Ranking::decaying));
    }

    private Future<List<Ranked>> filtered(Query query) {
        boolean everything = query.filter() instanceof Filter.All;
        if (everything || query.minScore() > 0) {
            return Future.succeededFuture(List.of());
        }
        return store.get()
                .list(new ListRequest(query.spaces(), query.filter(), ListRequest.Order.BY_SOURCE, 0, query.limit()))
                .map(page -> page.documents().stream()
                        .map(document -> new Ranked(document, 0))
                        .toList());
    }

    /** By vectors; empty with the reason where there are none. Fails where they have another length than the query's. */
    Future<Found> byVectors(Query query) {
        if (query.words().isBlank()) {
            return Future.succeededFuture(Found.vectors(List.of(), Optional.of("The query has no words.")));
        }
        return vectors.of(query.words(), query.spaces()).compose(attempt -> attempt.values().stream()
                .findFirst()
                .map(vector -> byVector(query, vector))
                .orElseGet(() -> Future.succeededFuture(Found.vectors(List.of(), attempt.missing()))));
    }

    private Future<Found> byVector(Query query, SearchRequest.QueryVector vector) {
        SearchRequest any = new SearchRequest(
                query.words(), Optional.of(vector), query.spaces(), query.filter(), 1, new Fusion.VectorOnly());
        return store.get().search(any).compose(first -> chunks(
                        query, Optional.of(vector), query.filter(), new LinkedHashMap<>(), 1)
                .map(scores -> Found.vectors(best(scores, query, Ranking::nearest), first.vectorsNotUsed())));
    }

    /** By both; by words alone, with the reason, where there are no vectors. */
    Future<Found> byBoth(Query query) {
        return byWords(query.deep())
                .compose(words -> vectorsIfComparable(query.deep()).compose(vectors -> {
                    if (vectors.documents().isEmpty() && vectors.reason().isPresent()) {
                        return byWords(query).map(found -> Found.words(found, vectors.reason()));
                    }
                    List<Ranked> fused = fused(words, vectors.documents());
                    return Future.succeededFuture(
                            Found.vectors(fused.subList(0, Math.min(query.limit(), fused.size())), vectors.reason()));
                }));
    }

    /** Vectors of another length than the query's are as good as none: there are the words to go by. */
    private Future<Found> vectorsIfComparable(Query query) {
        return byVectors(query)
                .recover(failure ->
                        failure instanceof ToolException known && known.failed().kind() == FailureKind.CONFLICT
                                ? Future.succeededFuture(Found.vectors(
                                        List.of(), Optional.of(known.failed().message())))
                                : Future.failedFuture(failure));
    }

    /** The fusion of two rankings, each best first. */
    static List<Ranked> fused(List<Ranked> words, List<Ranked> vectors) {
        Map<String, Ranked> all = new LinkedHashMap<>();
        add(all, words, 2);
        add(all, vectors, 1);
        return all.values().stream().sorted(BEST_FIRST).toList();
    }

    private static void add(Map<String, Ranked> all, List<Ranked> leg, double weight) {
        for (int rank = 1; rank <= leg.size(); rank++) {
            Ranked one = leg.get(rank - 1);
            double bonus = rank <= 3 ? 0.05 : rank <= 10 ? 0.02 : 0;
            double score = weight / (60 + rank) + bonus;
            all.merge(
                    one.document().id(),
                    new Ranked(one.document(), score),
                    (a, b) -> new Ranked(a.document(), a.score() + b.score()));
        }
    }

    /** The scores of a document's chunks, best first. */
    private record Scores(StoredDocument document, List<Double> scores) {}

    private static SearchRequest request(Query query, Optional<SearchRequest.QueryVector> vector, Filter filter) {
        Fusion fusion = vector.isPresent() ? new Fusion.VectorOnly() : new Fusion.KeywordOnly();
        return new SearchRequest(query.words(), vector, query.spaces(), filter, SearchRequest.MAX_TOP_K, fusion);
    }

    /** Searches until there are documents enough: the chunks of a few long documents may be all of the first round. */
    private Future<Map<String, Scores>> chunks(
            Query query,
            Optional<SearchRequest.QueryVector> vector,
            Filter filter,
            Map<String, Scores> found,
            int round) {
        return store.get().search(request(query, vector, filter)).compose(result -> {
            Set<String> fresh = new HashSet<>();
            for (Hit hit : result.hits()) {
                StoredDocument document = hit.chunk().document();
                if (fresh.add(document.id()) && found.containsKey(document.id())) {
                    continue;
                }
                found.computeIfAbsent(document.id(), _ -> new Scores(document, new ArrayList<>()))
                        .scores()
                        .add(hit.score());
            }
            boolean enough = result.hits().size() < SearchRequest.MAX_TOP_K
                    || found.size() >= query.limit()
                    || round == MAX_ROUNDS;
            return enough
                    ? Future.succeededFuture(found)
                    : chunks(query, vector, without(query.filter(), found.keySet()), found, round + 1);
        });
    }

    private static Filter without(Filter filter, Set<String> ids) {
        List<Filter> known = ids.stream().map(id -> Filter.equal("doc_id", id)).toList();
        return new Filter.And(List.of(filter, new Filter.Not(new Filter.Or(known))));
    }

    private interface Whole {
        double of(List<Double> scores);
    }

    private static List<Ranked> best(Map<String, Scores> scores, Query query, Whole whole) {
        return scores.values().stream()
                .map(one -> new Ranked(one.document(), whole.of(one.scores())))
                .filter(ranked -> ranked.score() >= query.minScore())
                .sorted(BEST_FIRST)
                .limit(query.limit())
                .toList();
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
