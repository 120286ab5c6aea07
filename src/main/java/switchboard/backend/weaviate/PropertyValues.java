package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.Json;

/** Property values, from GraphQL or REST, in the one form that callers see. */
final class PropertyValues {
    /** Where a cross-reference leads: {@code weaviate://localhost/Author/<uuid>}. */
    private static final Pattern BEACON = Pattern.compile("weaviate://[^/]+/([A-Z][_0-9A-Za-z]*)/[0-9a-fA-F-]{36}");

    /** Up to here doubles hold every whole number, and REST writes them in full. */
    private static final double EXACT_DOUBLES = 0x1p53;

    private final TenantScope tenantScope;

    /** Properties for a caller with {@code access}. */
    PropertyValues(TenantScope tenantScope) {
        this.tenantScope = tenantScope;
    }

    /** What GraphQL selected, without {@code _additional} and without what the object does not have. */
    static ObjectNode ofRow(JsonNode row) {
        ObjectNode properties = Json.object();
        for (Map.Entry<String, JsonNode> entry : row.properties()) {
            if (!entry.getKey().equals("_additional") && !entry.getValue().isNull()) {
                properties.set(entry.getKey(), tidy(entry.getValue()));
            }
        }
        return properties;
    }

    private static JsonNode tidy(JsonNode value) {
        if (value.isArray()) {
            ArrayNode list = Json.array();
            value.forEach(element -> list.add(tidy(element)));
            return list;
        }
        if (!value.isObject()) {
            return value;
        }
        ObjectNode object = Json.object();
        String id = value.path("_additional").path("id").asText();
        if (!id.isEmpty()) {
            object.put("id", id);
        }
        object.setAll(ofRow(value));
        return object;
    }

    /** What REST answered under {@code properties}: references lose their address and those out of reach go. */
    ObjectNode ofObject(JsonNode given) {
        ObjectNode properties = Json.object();
        for (Map.Entry<String, JsonNode> entry : given.properties()) {
            JsonNode value = entry.getValue();
            if (!value.isNull()) {
                properties.set(entry.getKey(), isReference(value) ? references(value) : exact(value));
            }
        }
        return properties;
    }

    /**
     * {@code value} with its large whole numbers in full. Weaviate stores them as doubles, and its REST interface rounds
     * the last digits of those beyond 2^53 to zeros.
     */
    static JsonNode exact(JsonNode value) {
        if (value.isArray()) {
            ArrayNode list = Json.array();
            value.forEach(element -> list.add(exact(element)));
            return list;
        }
        if (value.isObject()) {
            ObjectNode object = Json.object();
            value.properties().forEach(member -> object.set(member.getKey(), exact(member.getValue())));
            return object;
        }
        if (!value.isIntegralNumber() || Math.abs(value.doubleValue()) < EXACT_DOUBLES) {
            return value;
        }
        BigInteger whole = new BigDecimal(value.doubleValue()).toBigInteger();
        return whole.bitLength() < Long.SIZE ? LongNode.valueOf(whole.longValueExact()) : BigIntegerNode.valueOf(whole);
    }

    /** The collection that {@code reference}, as REST answers it, leads to, if it leads to the object {@code id}. */
    static Optional<String> target(JsonNode reference, String id) {
        Matcher beacon = BEACON.matcher(reference.path("beacon").asText());
        return beacon.matches() && beacon.group().endsWith("/" + id) ? Optional.of(beacon.group(1)) : Optional.empty();
    }

    private static boolean isReference(JsonNode value) {
        return value.isArray() && value.path(0).path("beacon").isTextual();
    }

    private ArrayNode references(JsonNode value) {
        ArrayNode visible = Json.array();
        for (JsonNode reference : value) {
            Matcher beacon = BEACON.matcher(reference.path("beacon").asText());
            if (beacon.matches()
                    ? tenantScope.scope().allows(beacon.group(1))
                    : tenantScope.scope().unrestricted()) {
                ObjectNode kept = reference.deepCopy();
                kept.remove("href");
                visible.add(kept);
            }
        }
        return visible;
    }
}
