package switchboard.app;

import io.vertx.core.Future;
import java.util.Optional;
import switchboard.embed.Embedders;
import switchboard.llm.Llm;

/**
 * The models that backends may use.
 *
 * @param embedders compute vectors
 * @param llm the language model; empty if none is configured
 */
public record ModelServices(Embedders embedders, Optional<Llm> llm) {
    /** For a gateway without models. */
    public static ModelServices none() {
        return new ModelServices(Embedders.none(), Optional.empty());
    }

    /** Closes all models. */
    Future<Void> close() {
        return embedders.close().eventually(() -> llm.map(one -> one.model().close())
                .orElseGet(Future::succeededFuture));
    }
}
