package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.upstream.UpstreamRequest;

/** Reads objects by UUID over REST, which returns every value as stored. Thread-safe. */
final class StoredObjects {
    private static final int AT_A_TIME = 16;

    private final WeaviateApi api;

    StoredObjects(WeaviateApi api) {
        this.api = api;
    }

    /** The object {@code uuid} from REST; empty if there is none. */
    Future<Optional<JsonNode>> read(
            String collection, @Nullable String tenant, String uuid, boolean vectors, CallContext context) {
        List<String> query = new ArrayList<>();
        if (tenant != null) {
            query.add("tenant=" + UpstreamRequest.segment(tenant));
        }
        if (vectors) {
            query.add("include=vector");
        }
        String path = "/v1/objects/" + UpstreamRequest.segment(collection) + "/" + uuid
                + (query.isEmpty() ? "" : "?" + String.join("&", query));
        return api.send(UpstreamRequest.get(path), context)
                .map(response -> response.status() == 404 && response.body().length() == 0
                        ? Optional.empty()
                        : Optional.of(api.json(response, context)));
    }

    /** Does {@code work} for each of {@code items}, a few at a time; stops at the first failure and when the call is over. */
    static <T> Future<Void> each(List<T> items, Function<T, Future<Void>> work, CallContext context) {
        if (items.isEmpty() || context.cancelled()) {
            return Future.succeededFuture();
        }
        int some = Math.min(AT_A_TIME, items.size());
        return Future.join(items.subList(0, some).stream().map(work).toList())
                .compose(_ -> each(items.subList(some, items.size()), work, context));
    }
}
