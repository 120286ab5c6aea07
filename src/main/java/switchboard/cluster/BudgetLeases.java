package switchboard.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import switchboard.call.Json;

/** Leases as JSON, as they are in their row. What can't be read is left out, as if it had ended. */
final class BudgetLeases {
    private BudgetLeases() {}

    static String write(Map<String, BudgetLease> leases) {
        ObjectNode all = Json.object();
        leases.forEach((node, lease) -> all.putObject(node)
                .put("until", lease.untilMillis())
                .put("calls", lease.calls().taken())
                .put("callsLeft", lease.calls().left())
                .put("tokens", lease.tokens().taken())
                .put("tokensLeft", lease.tokens().left())
                .put("rate", lease.rate())
                .put("places", lease.places().held())
                .put("missing", lease.places().missing())
                .put("served", lease.places().servedMillis()));
        return all.toString();
    }

    static Map<String, BudgetLease> read(String json) {
        Map<String, BudgetLease> leases = new HashMap<>();
        try {
            Json.parse(json).properties().forEach(field -> leases.put(field.getKey(), lease(field.getValue())));
        } catch (JsonProcessingException _) {
            return Map.of();
        }
        return leases;
    }

    private static BudgetLease lease(JsonNode lease) {
        return new BudgetLease(
                lease.path("until").asLong(),
                part(lease, "calls"),
                part(lease, "tokens"),
                lease.path("rate").asLong(),
                new BudgetLease.PlacePart(
                        lease.path("places").asInt(),
                        lease.path("missing").asInt(),
                        lease.path("served").asLong()));
    }

    private static BudgetLease.DayPart part(JsonNode lease, String name) {
        return new BudgetLease.DayPart(
                lease.path(name).asLong(), lease.path(name + "Left").asLong());
    }
}
