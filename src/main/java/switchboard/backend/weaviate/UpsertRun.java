package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/**
 * Sends objects in batches, one after the other and in order, so that of two with the same UUID the later stays. A batch
 * that Weaviate refuses as a whole (nothing of it is stored then) is halved until the object it is about is alone.
 */
final class UpsertRun {
    private static final int MOST_OBJECTS = 200;
    private static final int MOST_BYTES = 2 << 20;

    /** The minimum remaining time for another batch. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    private final WeaviateApi api;
    private final List<Upsert> all;
    private final CallContext context;
    private ToolReply.@Nullable Failed stopped;

    UpsertRun(WeaviateApi api, List<Upsert> all, CallContext context) {
        this.api = api;
        this.all = List.copyOf(all);
        this.context = context;
    }

    /** Sends all objects that wait; afterwards each has its result. */
    Future<Void> run() {
        return next(batches(), 0);
    }

    /** Why nothing at all is stored, when that is not about single objects; the details have the result of each. */
    Optional<ToolReply.Failed> refusalOfAll() {
        ToolReply.Failed failed = stopped;
        if (failed == null || all.stream().anyMatch(Upsert::stored)) {
            return Optional.empty();
        }
        ArrayNode results = Json.array();
        all.forEach(upsert -> results.add(upsert.result()));
        return Optional.of(failed.withDetail("results", results));
    }

    private List<List<Upsert>> batches() {
        List<List<Upsert>> batches = new ArrayList<>();
        List<Upsert> batch = new ArrayList<>();
        int bytes = 0;
        for (Upsert upsert : all) {
            if (!upsert.waiting()) {
                continue;
            }
            int size = Json.bytes(upsert.json()).length;
            if (!batch.isEmpty() && (batch.size() == MOST_OBJECTS || bytes + size > MOST_BYTES)) {
                batches.add(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(upsert);
            bytes += size;
        }
        if (!batch.isEmpty()) {
            batches.add(batch);
        }
        return batches;
    }

    private Future<Void> next(List<List<Upsert>> batches, int index) {
        if (index == batches.size()) {
            return Future.succeededFuture();
        }
        if (stopped == null && (context.cancelled() || context.remaining().compareTo(RESERVE) < 0)) {
            stopped =
                    new ToolReply.Failed(FailureKind.TIMEOUT, "The call's time ran out; send fewer objects at a time.");
        }
        ToolReply.Failed reason = stopped;
        if (reason != null) {
            batches.get(index).forEach(upsert -> upsert.holdBack(held(reason)));
            return next(batches, index + 1);
        }
        context.progress(index, (double) batches.size(), null);
        return send(batches.get(index)).compose(_ -> next(batches, index + 1));
    }

    private Future<Void> send(List<Upsert> batch) {
        ObjectNode body = Json.object();
        ArrayNode objects = body.putArray("objects");
        batch.forEach(upsert -> objects.add(upsert.json()));
        return api.send(UpstreamRequest.post("/v1/batch/objects", body), context)
                .compose(response -> answered(batch, response))
                .recover(failure -> {
                    if (failure instanceof ToolException expected) {
                        stop(batch, expected.failed());
                        return Future.succeededFuture();
                    }
                    return Future.failedFuture(failure);
                });
    }

    private Future<Void> answered(List<Upsert> batch, UpstreamResponse response) {
        if (response.success()) {
            read(batch, response);
            return Future.succeededFuture();
        }
        ToolReply.Failed failed = api.failure(response, context);
        if (failed.kind() != FailureKind.INVALID_ARGUMENT) {
            stop(batch, failed);
            return Future.succeededFuture();
        }
        if (batch.size() == 1) {
            batch.getFirst().refuse(failed.message());
            return Future.succeededFuture();
        }
        int half = batch.size() / 2;
        return send(batch.subList(0, half)).compose(_ -> {
            ToolReply.Failed reason = stopped;
            if (reason == null) {
                return send(batch.subList(half, batch.size()));
            }
            batch.subList(half, batch.size()).forEach(upsert -> upsert.holdBack(held(reason)));
            return Future.succeededFuture();
        });
    }

    /** Weaviate answers 200 and one entry an object, in order, even if all of them failed. */
    private void read(List<Upsert> batch, UpstreamResponse response) {
        JsonNode entries;
        try {
            entries = api.json(response, context);
        } catch (ToolException e) {
            stop(batch, unknown(e.failed()));
            return;
        }
        if (!entries.isArray() || entries.size() != batch.size()) {
            stop(
                    batch,
                    unknown(new ToolReply.Failed(
                            FailureKind.UNAVAILABLE,
                            "Weaviate answered for " + entries.size() + " objects when " + batch.size()
                                    + " were sent. Look with weaviate-objects-get at what is there.")));
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            JsonNode result = entries.get(i).path("result");
            if (result.path("status").asText().equals("SUCCESS")) {
                batch.get(i).store(entries.get(i).path("id").asText());
            } else {
                String message = result.path("errors")
                        .path("error")
                        .path(0)
                        .path("message")
                        .asText("refused");
                batch.get(i).refuse(api.shown(message, context));
            }
        }
    }

    private static boolean lost(ToolReply.Failed failed) {
        return failed.details() != null && failed.details().has("outcome");
    }

    /** The message for later batches after a failure: that batch may have been stored, later ones were not. */
    private static String held(ToolReply.Failed reason) {
        return lost(reason)
                ? "it was not sent, because it is not known whether the objects before it were stored. Send it again."
                : reason.message();
    }

    private void stop(List<Upsert> batch, ToolReply.Failed failed) {
        stopped = failed;
        boolean lost = lost(failed);
        for (Upsert upsert : batch) {
            if (lost) {
                upsert.lose("outcome unknown: " + failed.message());
            } else {
                upsert.refuse(failed.message());
            }
        }
    }

    private static ToolReply.Failed unknown(ToolReply.Failed failed) {
        return failed.withDetails(Json.object().put("outcome", "unknown"));
    }
}
