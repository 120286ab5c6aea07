package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamRequest;

/**
 * {@code weaviate-objects-delete}. One request deletes at most {@code QUERY_MAXIMUM_RESULTS} of the server, so
 * requests are repeated until no object matches, and the numbers are added up.
 */
record ObjectsDeleteTool(WeaviateApi api, SchemaCache schemas) implements ToolHandler<ObjectsDeleteTool.Args> {
    /** The minimum remaining time for another round. */
    private static final Duration RESERVE = Duration.ofSeconds(5);

    record Args(
            String collection_name,
            @Nullable String tenant_name,
            @Nullable ObjectNode where,
            boolean dry_run) {}

    /** The total of the rounds so far. */
    private record DeletedTotals(long deleted, long failed, long matches) {
        DeletedTotals plus(DeleteResult round) {
            long seen = deleted + failed + round.matches();
            return new DeletedTotals(deleted + round.successful(), failed + round.failed(), Math.max(matches, seen));
        }
    }

    /** The result of one request; {@code limit} is the maximum that it would delete. */
    private record DeleteResult(long matches, long limit, long successful, long failed) {
        static DeleteResult of(JsonNode results) {
            return new DeleteResult(
                    results.path("matches").asLong(),
                    results.path("limit").asLong(),
                    results.path("successful").asLong(),
                    results.path("failed").asLong());
        }

        long left() {
            return Math.max(0, matches - successful);
        }

        /** Whether another round is needed: objects are left, and only the limit stopped this round. */
        boolean more() {
            return matches > limit && successful > 0 && failed == 0;
        }
    }

    @Override
    public String name() {
        return "weaviate-objects-delete";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        TenantScope tenantScope = TenantScope.of(context.caller());
        String collection = tenantScope.collection(args.collection_name());
        String tenant = tenantScope.tenant(args.tenant_name());
        return schemas.readable(collection, context).compose(schema -> {
            tenantScope.requireBindings(collection, schema);
            UpstreamRequest request = request(collection, tenant, where(args, schema, tenantScope), args.dry_run());
            if (args.dry_run()) {
                return round(request, collection, context).map(ObjectsDeleteTool::counted);
            }
            return rounds(request, collection, new DeletedTotals(0, 0, 0), context);
        });
    }

    private static WhereFilter where(Args args, Optional<CollectionSchema> schema, TenantScope tenantScope) {
        WhereFilter wanted = args.where() == null
                ? WhereFilter.everything()
                : WhereReader.read("where", args.where(), schema, tenantScope);
        return schema.flatMap(known -> tenantScope.both(wanted, known)).orElse(wanted);
    }

    /** Always sends {@code dryRun}, because without it Weaviate deletes. */
    private static UpstreamRequest request(
            String collection, @Nullable String tenant, WhereFilter whereFilter, boolean dryRun) {
        ObjectNode body = Json.object();
        body.putObject("match").put("class", collection).set("where", whereFilter.rest());
        body.put("dryRun", dryRun).put("output", "minimal");
        String path = "/v1/batch/objects" + (tenant == null ? "" : "?tenant=" + UpstreamRequest.segment(tenant));
        return UpstreamRequest.withBody(HttpMethod.DELETE, path, body, dryRun);
    }

    private Future<DeleteResult> round(UpstreamRequest request, String collection, CallContext context) {
        return api.send(request, context).map(response -> {
            // A refusal to let the key read the collection has these words in it, too.
            boolean refused = response.status() == 401 || response.status() == 403;
            if (!response.success() && !refused && WeaviateErrors.text(response).contains("failed to get class")) {
                schemas.forget(collection);
                throw SchemaCache.notFound(collection);
            }
            return DeleteResult.of(api.json(response, context).path("results"));
        });
    }

    private Future<ToolReply> rounds(
            UpstreamRequest request, String collection, DeletedTotals before, CallContext context) {
        return round(request, collection, context)
                .<ToolReply>compose(round -> {
                    DeletedTotals sum = before.plus(round);
                    boolean time = !context.cancelled() && context.remaining().compareTo(RESERVE) > 0;
                    context.progress(sum.deleted(), (double) sum.matches(), "deleted " + sum.deleted());
                    return round.more() && time
                            ? rounds(request, collection, sum, context)
                            : Future.succeededFuture(done(sum, round.left()));
                })
                .recover(failure -> before.deleted() > 0 && failure instanceof ToolException stopped
                        ? Future.succeededFuture(interrupted(before, stopped.failed()))
                        : Future.failedFuture(failure));
    }

    private static ToolReply counted(DeleteResult round) {
        return ToolReply.ok(
                Json.object().put("deleted", 0).put("matches", round.matches()).put("dry_run", true));
    }

    private static ToolReply done(DeletedTotals sum, long left) {
        ObjectNode reply = Json.object()
                .put("deleted", sum.deleted())
                .put("matches", sum.matches())
                .put("dry_run", false)
                .put("complete", left == 0);
        if (left > 0) {
            reply.put("remaining", left);
        }
        if (sum.failed() > 0) {
            reply.put("failed", sum.failed());
        }
        return ToolReply.ok(reply);
    }

    /** The failure after a part was deleted, which the caller must know. */
    private static ToolReply interrupted(DeletedTotals sum, ToolReply.Failed failed) {
        if (failed.details() != null && failed.details().has("deleted")) {
            return failed;
        }
        return failed.withMessage(sum.deleted() + " objects were deleted, then: " + failed.message()
                        + " Count what is left with dry_run true.")
                .withDetail("deleted", LongNode.valueOf(sum.deleted()));
    }
}
