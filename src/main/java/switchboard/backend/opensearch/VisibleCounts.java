package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import switchboard.call.CallContext;
import switchboard.call.ToolException;

/** Counts the documents that a caller may see in each of several indices. */
record VisibleCounts(OpenSearchApi api) {
    /** The counts by name. One that can't be made is left out; none fails. */
    Future<Map<String, Long>> of(List<String> names, CallContext context) {
        if (names.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        ObjectNode body =
                new SearchBodies(TeamFilter.of(context.caller()).stream().toList()).counting();
        return api.searchEach(names, body, context)
                .map(answer -> counted(names, answer))
                .recover(thrown -> thrown instanceof ToolException
                        ? Future.succeededFuture(Map.of())
                        : Future.failedFuture(thrown));
    }

    private static Map<String, Long> counted(List<String> names, JsonNode answer) {
        Map<String, Long> counts = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            JsonNode response = answer.path("responses").path(i);
            JsonNode total = response.path("hits").path("total").path("value");
            if (total.isIntegralNumber() && FoundHits.notes(response).isEmpty()) {
                counts.put(names.get(i), total.asLong());
            }
        }
        return counts;
    }
}
