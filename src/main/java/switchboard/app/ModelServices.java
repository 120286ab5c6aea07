package switchboard.app;

import io.vertx.core.Future;
import java.util.Optional;
import switchboard.embed.Embedders;
import switchboard.embed.Reranking;
import switchboard.llm.Llm;

/**
 * The models that backends may use.
 *
 * @param embedders compute vectors
 * @param llm the language model; empty if none is configured
 * @param reranking orders what searches find; empty if none is configured
 */
public record ModelServices(Embedders embedders, Optional<Llm> llm, Optional<Reranking> reranking) {
    /** For a gateway without models. */
    public static ModelServices none() {
        return new ModelServices(Embedders.none(), Optional.empty(), Optional.empty());
    }

    /** Closes all models. */
    Future<Void> close() {
        return embedders
                .close()
                .eventually(() -> llm.map(one -> one.model().close()).orElseGet(Future::succeededFuture))
                .eventually(() -> reranking.map(one -> one.reranker().close()).orElseGet(Future::succeededFuture));
    }
}
