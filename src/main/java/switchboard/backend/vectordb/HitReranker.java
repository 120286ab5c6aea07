package switchboard.backend.vectordb;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import switchboard.call.CallContext;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.embed.Reranking;
import switchboard.store.Hit;

/**
 * Reranks the best hits of a search, if there is a reranker. If that fails or takes too long, they keep their order.
 *
 * @param reranking the reranker; empty for none
 */
record HitReranker(Optional<Reranking> reranking) {
    private static final String NOT_RERANKED = "The results are not reranked: ";

    /**
     * A hit in its final place.
     *
     * @param score the reranker's; empty if the hit was not reranked
     */
    record RankedHit(Hit hit, OptionalDouble score) {}

    /**
     * The hits of a search.
     *
     * @param hits best first
     * @param unused why they were not reranked, although there is a reranker; safe to show
     */
    record RankedHits(List<RankedHit> hits, Optional<String> unused) {
        private static RankedHits asFound(List<Hit> found, int wanted, Optional<String> unused) {
            return new RankedHits(
                    found.stream()
                            .limit(wanted)
                            .map(hit -> new RankedHit(hit, OptionalDouble.empty()))
                            .toList(),
                    unused);
        }
    }

    /** How many hits a search should find if {@code wanted} are to be shown. */
    int candidates(int wanted) {
        return reranking.map(Reranking::candidates).orElse(0) > wanted
                ? reranking.orElseThrow().candidates()
                : wanted;
    }

    /** The best {@code wanted} of {@code found}. */
    Future<RankedHits> best(String query, List<Hit> found, int wanted, CallContext context) {
        if (reranking.isEmpty() || found.size() < 2) {
            return Future.succeededFuture(RankedHits.asFound(found, wanted, Optional.empty()));
        }
        Reranking second = reranking.get();
        List<Hit> read = found.subList(0, Math.min(found.size(), second.candidates()));
        return second.reranker()
                .scores(
                        query,
                        read.stream().map(hit -> hit.chunk().searched()).toList(),
                        context.atMost(second.limit()))
                .timeout(Math.max(1, second.limit().toMillis()), TimeUnit.MILLISECONDS)
                .map(scores ->
                        new RankedHits(placed(found, scores).limit(wanted).toList(), Optional.empty()))
                .recover(failure -> reason(failure, second)
                        .map(reason -> Future.succeededFuture(RankedHits.asFound(found, wanted, Optional.of(reason))))
                        .orElseGet(() -> Future.failedFuture(failure)));
    }

    /** Those with a score by it, equal ones as they were found, then the others. */
    private static Stream<RankedHit> placed(List<Hit> found, List<Double> scores) {
        Stream<RankedHit> anew = Reranking.order(scores).stream()
                .map(at -> new RankedHit(found.get(at), OptionalDouble.of(scores.get(at))));
        Stream<RankedHit> others =
                found.stream().skip(scores.size()).map(hit -> new RankedHit(hit, OptionalDouble.empty()));
        return Stream.concat(anew, others);
    }

    private static Optional<String> reason(Throwable failure, Reranking second) {
        if (failure instanceof TimeoutException) {
            return Optional.of(late(second));
        }
        return failure instanceof ToolException told ? reason(told.failed(), second) : Optional.empty();
    }

    private static Optional<String> reason(ToolReply.Failed failed, Reranking second) {
        return switch (failed.kind()) {
            case TIMEOUT, CANCELLED -> Optional.of(late(second));
            case UNAVAILABLE, OVERLOADED, DENIED_UPSTREAM, INVALID_ARGUMENT, NOT_FOUND, CONFLICT, DENIED ->
                Optional.of(NOT_RERANKED + failed.message());
            case INTERNAL -> Optional.empty();
        };
    }

    private static String late(Reranking second) {
        return NOT_RERANKED + "the reranker took longer than " + second.limit().toMillis() + " ms (rerank.timeout).";
    }
}
