package switchboard.embed;

import io.vertx.core.Future;
import java.util.List;
import switchboard.call.Health;
import switchboard.call.Lifetime;

/**
 * A model that reads a query and a passage together (a cross-encoder: Nogueira and Cho, Passage Re-ranking with BERT, 2019). It
 * tells more than two vectors do, and takes far more time. Thread-safe; never blocks.
 */
public interface Reranker {
    /**
     * How well each passage answers the query: one finite number for each, in their order; higher is better, and only the
     * order counts. Fails with {@link switchboard.call.ToolException}, also when the call's time is up.
     */
    Future<List<Double>> scores(String query, List<String> passages, Lifetime lifetime);

    /** Checks the model with two passages. The result says what the operator can do about a problem; never fails. */
    Future<Health> check();

    /** Waits for calls under way, then releases all resources. */
    Future<Void> close();
}
