package switchboard.replica;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import switchboard.call.SpellingSuggestion;
import switchboard.cluster.LibraryRow;
import switchboard.store.DocumentScores;
import switchboard.store.EngineSearch;
import switchboard.store.EngineSearch.EngineFindings;
import switchboard.store.EngineSearch.EngineQuestion;
import switchboard.store.EngineSearch.RankedCandidates;
import switchboard.store.Namespace;
import switchboard.store.SearchRequest;
import switchboard.store.SearchResult;

/**
 * One search of chunks in an engine, in rounds: deeper ones where the caller may not see most of what was found, or it is of few
 * documents, and the same again where documents were replaced meanwhile.
 *
 * @param <T> the result
 */
final class EngineRounds<T> {
    /** Minimum number of candidates that the engine is asked for. */
    private static final int DEPTH = 100;

    /** The same where it does not know all that decides: conditions of the filter, or vectors of sentences. */
    private static final int DEPTH_OF_UNKNOWN = 400;

    /** So many candidates at least of each library, however many are searched. */
    private static final int LEAST = 10;

    /** Of more libraries fewer candidates each are asked for. */
    private static final int LIBRARIES = 8;

    /** So often it is asked for twice as many. */
    private static final int DEEPER = 3;

    /** So often a round is repeated. */
    private static final int AGAIN = 3;

    private final SearchRequest request;
    private final EngineSearch searching;
    private final ChunkEngine engine;
    private final Function<Namespace, Optional<LibraryRow>> libraries;
    private final OutcomeKind<T> kind;

    /** Ranks what the engine has answered to questions. */
    @FunctionalInterface
    interface CandidateRanking<T> {
        /** The result, and whether documents changed meanwhile. */
        Future<RankedCandidates<T>> of(
                SearchRequest request, Map<Namespace, EngineQuestion> questions, Map<Namespace, EngineFindings> found);
    }

    /**
     * A kind of search.
     *
     * @param ranking ranks what was found
     * @param corrected the words that were corrected
     * @param hits how many hits there are
     * @param limited makes a result say that less was searched than is stored
     * @param <T> its result
     */
    record OutcomeKind<T>(
            CandidateRanking<T> ranking,
            Function<T, List<SpellingSuggestion>> corrected,
            ToIntFunction<T> hits,
            BiFunction<T, Optional<String>, T> limited) {
        /** Hits. */
        static OutcomeKind<SearchResult> hits(EngineSearch searching) {
            return new OutcomeKind<>(
                    searching::search,
                    SearchResult::similarWords,
                    found -> found.hits().size(),
                    SearchResult::limited);
        }

        /** Scores of documents, which say nothing of corrected words. */
        static OutcomeKind<DocumentScores> scores(EngineSearch searching) {
            return new OutcomeKind<>(
                    searching::scores, _ -> List.of(), DocumentScores::chunks, DocumentScores::limited);
        }
    }

    EngineRounds(
            SearchRequest request,
            EngineSearch searching,
            ChunkEngine engine,
            Function<Namespace, Optional<LibraryRow>> libraries,
            OutcomeKind<T> kind) {
        this.request = request;
        this.searching = searching;
        this.engine = engine;
        this.libraries = libraries;
        this.kind = kind;
    }

    /** Runs the rounds; fails with what the engine fails with, if no round before can be used. */
    Future<T> run() {
        boolean unknown = EngineSearch.hasChunkConditions(request.filter())
                || request.vectors().stream().anyMatch(vector -> vector.traits().sentences());
        int depth = unknown ? DEPTH_OF_UNKNOWN : DEPTH;
        // Where hits were left out because they are not relevant enough, deeper ones are not, either.
        int deeper = request.limits().minRelevance() > 0 ? 1 : DEEPER;
        return round(new EngineRound("", Math.max(depth, request.topK()), deeper, AGAIN));
    }

    /**
     * A round.
     *
     * @param also words that were corrected before, which are searched, too
     * @param depth how many candidates are asked for
     * @param deeper how many deeper rounds may follow
     * @param again how often one may be repeated
     */
    private record EngineRound(String also, int depth, int deeper, int again) {
        EngineRound with(String corrected) {
            return new EngineRound(corrected, depth, deeper, again);
        }

        EngineRound repeated() {
            return new EngineRound(also, depth, deeper, again - 1);
        }

        EngineRound twiceAsDeep() {
            return new EngineRound(also, Math.min(2 * depth, SearchRequest.MAX_TOP_K), deeper - 1, again);
        }

        EngineRound half() {
            return new EngineRound(also, depth / 2, 0, again);
        }
    }

    private Future<T> round(EngineRound round) {
        return searching.questions(request, round.also()).compose(questions -> ask(questions, round)
                .compose(answers -> kind.ranking()
                        .of(request, questions, answers.findings())
                        .compose(ranked -> next(ranked, answers, round)))
                .recover(failure -> engine.tooLarge(failure) && round.depth() > LEAST
                        ? round(round.half())
                        : Future.failedFuture(failure)));
    }

    /** What the engine has answered. */
    private record Answers(
            Map<Namespace, EngineFindings> findings, boolean more, boolean unknown, Optional<String> missing) {}

    private Future<Answers> ask(Map<Namespace, EngineQuestion> questions, EngineRound round) {
        int depth = questions.size() <= LIBRARIES
                ? round.depth()
                : Math.max(LEAST, round.depth() * LIBRARIES / questions.size());
        Map<Namespace, Future<ChunkEngine.EngineFound>> asked = new LinkedHashMap<>();
        questions.forEach((namespace, question) -> libraries
                .apply(namespace)
                .ifPresent(row -> asked.put(namespace, engine.find(row.incarnation(), question, depth))));
        return Future.join(List.copyOf(asked.values())).transform(_ -> answers(questions, asked));
    }

    private static Future<Answers> answers(
            Map<Namespace, EngineQuestion> questions, Map<Namespace, Future<ChunkEngine.EngineFound>> asked) {
        Map<Namespace, EngineFindings> findings = new LinkedHashMap<>();
        TreeSet<String> missing = new TreeSet<>();
        boolean more = false;
        for (Map.Entry<Namespace, Future<ChunkEngine.EngineFound>> one : asked.entrySet()) {
            Future<ChunkEngine.EngineFound> found = one.getValue();
            if (found.succeeded()) {
                findings.put(one.getKey(), found.result().findings());
                more |= found.result().more();
            } else if (asked.size() > 1 && ChunkEngine.missing(found.cause())) {
                missing.add(one.getKey().name());
            } else {
                return Future.failedFuture(found.cause());
            }
        }
        return Future.succeededFuture(new Answers(
                findings,
                more,
                questions.values().stream().anyMatch(one -> one.scope().unknown()),
                missing.isEmpty()
                        ? Optional.empty()
                        : Optional.of("Not searched, because Weaviate does not have their chunks: "
                                + String.join(", ", missing)
                                + ". The operator writes them again with `switchboard reindex`.")));
    }

    private Future<T> next(RankedCandidates<T> ranked, Answers answers, EngineRound round) {
        T result = ranked.result();
        if (ranked.changed() && round.again() > 0) {
            return round(round.repeated());
        }
        List<SpellingSuggestion> words = kind.corrected().apply(result);
        if (round.also().isEmpty() && !words.isEmpty()) {
            return round(
                    round.with(words.stream().map(SpellingSuggestion::searched).collect(Collectors.joining(" "))));
        }
        boolean few = answers.more() && kind.hits().applyAsInt(result) < request.topK();
        if (few && round.deeper() > 0 && round.depth() < SearchRequest.MAX_TOP_K) {
            return round(round.twiceAsDeep());
        }
        T said = kind.limited().apply(result, answers.missing());
        return Future.succeededFuture(
                few && answers.unknown()
                        ? kind.limited()
                                .apply(
                                        said,
                                        Optional.of("Only the best " + round.depth()
                                                + " passages of a library were looked at, and there may be more that pass the filter or that you"
                                                + " may read. Filter for fewer documents, or ask in other words."))
                        : said);
    }
}
