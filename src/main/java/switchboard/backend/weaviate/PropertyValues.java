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

/** Converts property values from GraphQL and REST to one form for callers. */
final class PropertyValues {
    /** The target of a cross-reference: {@code weaviate://localhost/Author/<uuid>}. */
    private static final Pattern BEACON = Pattern.compile("weaviate://[^/]+/([A-Z][_0-9A-Za-z]*)/[0-9a-fA-F-]{36}");

    /** Up to this value doubles represent every whole number, and REST writes them exactly. */
    private static final double EXACT_DOUBLES = 0x1p53;

    /** The double that Weaviate stores for the largest integers, one more than an integer can be. */
    private static final double BEYOND_INTS = 0x1p63;

    private final TenantScope tenantScope;

    /** Properties for a caller with {@code access}. */
    PropertyValues(TenantScope tenantScope) {
        this.tenantScope = tenantScope;
    }

    /** The selected properties of a GraphQL row, without {@code _additional} and nulls. */
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

    /** The properties of a REST object. References lose their URL, and those to hidden collections are removed. */
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
     * {@code value} with large whole numbers written exactly. Weaviate stores them as doubles, and its REST API rounds
     * the last digits beyond 2^53 to zeros.
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
        if (value.doubleValue() == BEYOND_INTS) {
            return LongNode.valueOf(Long.MAX_VALUE);
        }
        BigInteger whole = new BigDecimal(value.doubleValue()).toBigInteger();
        return whole.bitLength() < Long.SIZE ? LongNode.valueOf(whole.longValueExact()) : BigIntegerNode.valueOf(whole);
    }

    /** The collection of the cross-reference {@code reference} from REST, if it points to the object {@code id}. */
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
                    ? tenantScope.mayRefer(beacon.group(1))
                    : tenantScope.where() == null && tenantScope.scope().unrestricted()) {
                ObjectNode kept = reference.deepCopy();
                kept.remove("href");
                visible.add(kept);
            }
        }
        return visible;
    }
}
