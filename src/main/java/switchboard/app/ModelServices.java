package switchboard.app;

import io.vertx.core.Future;
import java.util.Optional;
import switchboard.embed.Embedders;
import switchboard.llm.Llm;

/**
 * The models that backends may use.
 *
 * @param embedders text to vectors
 * @param llm text to answers; empty where none is configured
 */
public record ModelServices(Embedders embedders, Optional<Llm> llm) {
    /** A gateway without models. */
    public static ModelServices none() {
        return new ModelServices(Embedders.none(), Optional.empty());
    }

    /** Closes all of them. */
    Future<Void> close() {
        return embedders.close().eventually(() -> llm.map(one -> one.model().close())
                .orElseGet(Future::succeededFuture));
    }
}
