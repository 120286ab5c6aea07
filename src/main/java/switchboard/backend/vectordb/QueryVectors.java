package switchboard.backend.vectordb;

import io.vertx.core.Future;
import java.util.Optional;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.embed.Embedder;
import switchboard.store.SearchRequest;

/** Embeds queries, where that can be done now; searches go on by keyword where it can't. */
final class QueryVectors {
    private final Optional<Embedder> embedder;

    QueryVectors(Optional<Embedder> embedder) {
        this.embedder = embedder;
    }

    /** The query's vector, or why there is none. */
    record Attempt(Optional<SearchRequest.QueryVector> values, Optional<String> missing) {}

    /** Whether there is an embedder at all. */
    boolean configured() {
        return embedder.isPresent();
    }

    Future<Attempt> of(String query) {
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
