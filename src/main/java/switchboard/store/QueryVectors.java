package switchboard.store;

import io.vertx.core.Future;
import java.util.Optional;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.embed.Embedder;

/** Embeds queries, where that can be done now; searches go on by keyword where it can't. Thread-safe. */
public final class QueryVectors {
    private final Optional<Embedder> embedder;

    /** Vectors of {@code embedder}, if there is one. */
    public QueryVectors(Optional<Embedder> embedder) {
        this.embedder = embedder;
    }

    /**
     * What came of it.
     *
     * @param values the query's vector
     * @param missing why there is none
     */
    public record Attempt(Optional<SearchRequest.QueryVector> values, Optional<String> missing) {}

    /** Whether there is an embedder at all. */
    public boolean configured() {
        return embedder.isPresent();
    }

    /** The query's vector, or why there is none; fails only with what a search can't go on without. */
    public Future<Attempt> of(String query) {
        if (embedder.isEmpty()) {
            return Future.succeededFuture(
                    new Attempt(Optional.empty(), Optional.of("This gateway is configured without an embedder.")));
        }
        Embedder model = embedder.get();
        return model.embedQuery(query)
                .map(values -> new Attempt(
                        Optional.of(new SearchRequest.QueryVector(model.model(), values)), Optional.empty()))
                .recover(failure -> failure instanceof ToolException known
                                && replaceable(known.failed().kind())
                        ? Future.succeededFuture(new Attempt(
                                Optional.empty(), Optional.of(known.failed().message())))
                        : Future.failedFuture(failure));
    }

    /** Whether keyword search may stand in for a failure to embed the query. */
    private static boolean replaceable(FailureKind kind) {
        return switch (kind) {
            case UNAVAILABLE, OVERLOADED, TIMEOUT, DENIED_UPSTREAM -> true;
            case INVALID_ARGUMENT, NOT_FOUND, CONFLICT, DENIED, CANCELLED, INTERNAL -> false;
        };
    }
}
