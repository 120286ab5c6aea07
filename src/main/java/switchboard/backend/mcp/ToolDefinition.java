package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.call.Json;
import switchboard.text.HeaderValue;

/**
 * A tool definition of another server: sanitized, checked, and identified by its hash.
 *
 * @param entry the list entry without control and zero-width characters; must not be changed
 * @param hash SHA-256 of its canonical form, hexadecimal
 */
record ToolDefinition(ObjectNode entry, String hash) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_./-]{1,128}");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    /**
     * Control characters except white space, and invisible characters: zero width, direction, fillers, tags, and variation
     * selectors except the one that asks for an emoji.
     */
    private static final Pattern INVISIBLE = Pattern.compile(
            "[\\p{Cc}&&[^\\n\\r\\t]]|[\\u00AD\\u061C\\u115F\\u1160\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F"
                    + "\\u3164\\uFE00-\\uFE0E\\uFEFF\\uFFA0]|[\\x{E0000}-\\x{E0FFF}]");

    private static final int DEEPEST_SCHEMA = 32;
    private static final Set<String> HEADER_TYPES = Set.of("string", "integer", "boolean");

    /** A definition that is not used, with the reason. */
    record Unusable(String name, String reason) {}

    /** The result of reading a list entry. */
    sealed interface Read {
        /** A definition. */
        record Usable(ToolDefinition definition) implements Read {}

        /** A definition that can't be used. */
        record Unpublishable(Unusable unusable) implements Read {}
    }

    /** Its name at its server. */
    String name() {
        return entry.path("name").asText();
    }

    /** Reads {@code raw}, an entry of {@code tools/list} with at most {@code maxBytes}. */
    static Read of(ObjectNode raw, int maxBytes) {
        String name = clean(raw.path("name").asText());
        if (Json.bytes(raw).length > maxBytes) {
            return refused(name, "its definition is larger than " + maxBytes + " bytes");
        }
        ObjectNode entry = (ObjectNode) cleaned(raw);
        if (!NAME.matcher(raw.path("name").asText()).matches()) {
            return refused(name, "its name is not 1 to 128 of A-Z a-z 0-9 _ . / -");
        }
        if (!entry.path("inputSchema").path("type").asText().equals("object")) {
            return refused(name, "its inputSchema is not that of an object");
        }
        Optional<String> problem = schema(entry.path("inputSchema"), 0)
                .or(() -> schema(entry.path("outputSchema"), 0))
                .or(() -> headers(entry.path("inputSchema"), new HashSet<>()));
        return problem.<Read>map(why -> refused(name, why))
                .orElseGet(() -> new Read.Usable(new ToolDefinition(entry, hash(entry))));
    }

    private static Read refused(String name, String reason) {
        return new Read.Unpublishable(new Unusable(name, reason));
    }

    /** Removes invisible characters. */
    static String clean(String text) {
        return INVISIBLE.matcher(text).replaceAll("");
    }

    private static JsonNode cleaned(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.properties().forEach(field -> copy.set(clean(field.getKey()), cleaned(field.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = Json.array();
                array.forEach(element -> copy.add(cleaned(element)));
                yield copy;
            }
            case TextNode text -> TextNode.valueOf(clean(text.asText()));
            default -> node;
        };
    }

    /** Why a schema must not be passed on: following it would access the network or not end. */
    private static Optional<String> schema(JsonNode schema, int depth) {
        if (depth > DEEPEST_SCHEMA) {
            return Optional.of("its schema is nested deeper than " + DEEPEST_SCHEMA + " levels");
        }
        for (String keyword : new String[] {"$ref", "$dynamicRef"}) {
            JsonNode target = schema.path(keyword);
            if (target.isTextual() && !target.asText().startsWith("#")) {
                return Optional.of("its schema refers to something outside itself (" + keyword + ")");
            }
        }
        for (JsonNode child : schema) {
            if (child.isContainerNode()) {
                Optional<String> problem = schema(child, depth + 1);
                if (problem.isPresent()) {
                    return problem;
                }
            }
        }
        return Optional.empty();
    }

    /** Problems of the headers that repeat arguments (2026-07-28). */
    private static Optional<String> headers(JsonNode schema, Set<String> seen) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode name = property.getValue().path("x-mcp-header");
            if (!name.isMissingNode()) {
                boolean legal = name.isTextual()
                        && TOKEN.matcher(name.asText()).matches()
                        && HEADER_TYPES.contains(
                                property.getValue().path("type").asText())
                        && seen.add(name.asText().toLowerCase(Locale.ROOT));
                if (!legal) {
                    return Optional.of("the x-mcp-header of \"" + property.getKey() + "\" is not a legal one");
                }
            }
            Optional<String> problem = headers(property.getValue(), seen);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return elsewhere(schema);
    }

    /** Headers may only be taken from properties that {@code properties} alone lead to. */
    private static Optional<String> elsewhere(JsonNode schema) {
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            if (!keyword.getKey().equals("properties")
                    && !keyword.getKey().equals("x-mcp-header")
                    && !keyword.getValue().findValues("x-mcp-header").isEmpty()) {
                return Optional.of("it has an x-mcp-header under " + keyword.getKey() + ", where none can be");
            }
        }
        return Optional.empty();
    }

    /** The hash of a definition; the order of keys does not matter. */
    static String hash(ObjectNode entry) {
        return DigestUtils.sha256Hex(Json.sortedBytes(entry));
    }

    /** The {@code Mcp-Param-*} headers that {@code inputSchema} requires for {@code arguments}. */
    static Map<String, String> paramHeaders(JsonNode inputSchema, JsonNode arguments) {
        Map<String, String> headers = new LinkedHashMap<>();
        collectHeaders(inputSchema, arguments, headers);
        return headers;
    }

    private static void collectHeaders(JsonNode schema, JsonNode value, Map<String, String> headers) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode given = value.path(property.getKey());
            JsonNode name = property.getValue().path("x-mcp-header");
            if (name.isTextual() && given.isValueNode() && !given.isNull()) {
                headers.put("Mcp-Param-" + name.asText(), HeaderValue.encode(given.asText()));
            }
            collectHeaders(property.getValue(), given, headers);
        }
    }
}
