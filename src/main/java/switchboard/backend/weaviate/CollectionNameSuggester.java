package switchboard.backend.weaviate;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.text.ClosestName;

/**
 * A tool whose failure for an unknown collection suggests the most similar one that the caller may see.
 *
 * @param <A> the tool's arguments
 */
record CollectionNameSuggester<A extends Record>(ToolHandler<A> tool, CollectionsGetConfigTool configuration)
        implements ToolHandler<A> {
    @Override
    public String name() {
        return tool.name();
    }

    @Override
    public Class<A> argsType() {
        return tool.argsType();
    }

    @Override
    public Future<ToolReply> call(A args, CallContext context) {
        return Future.succeededFuture(args)
                .compose(given -> tool.call(given, context))
                .recover(failure -> failure instanceof ToolException refused
                                && SchemaCache.NOT_FOUND.equals(refused.failed().code())
                        ? suggested(refused.failed(), context)
                        : Future.failedFuture(failure));
    }

    private Future<ToolReply> suggested(ToolReply.Failed failure, CallContext context) {
        String wanted = failure.details() == null
                ? ""
                : failure.details().path("collection").asText();
        return configuration
                .all(TenantScope.of(context.caller()), context)
                .map(all -> ClosestName.of(
                        wanted,
                        all.findValuesAsText("class").stream().distinct().toList()))
                .otherwise(Optional.empty())
                .map(near -> near.map(name -> failure.suggesting(List.of(name))).orElse(failure));
    }
}
