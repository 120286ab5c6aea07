package switchboard.federation;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Compares a query with texts by meaning. Thread-safe; nothing blocks. */
@FunctionalInterface
public interface TextComparison {
    /** For gateways without a model: no texts can be compared. */
    TextComparison NONE = (_, _) -> Future.succeededFuture(Optional.empty());

    /**
     * How close {@code query} is to each of {@code texts}, in their order: 0 for unrelated and 1 for related texts, or
     * beyond; empty if they can't be compared now.
     */
    Future<Optional<double[]>> of(String query, List<String> texts);
}
