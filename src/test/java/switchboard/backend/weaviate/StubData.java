package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** The collections, tenants and objects of the stub; checks what Weaviate checks, in its words as recorded. */
final class StubData {
    private final Map<String, ObjectNode> classes = new TreeMap<>();
    private final Map<String, Map<String, String>> tenants = new TreeMap<>();
    private final Map<String, Map<String, ObjectNode>> objects = new TreeMap<>();
    private final ObjectNode defaults;
    private long clock = 1_795_226_680_000L;

    /** Empty data; new collections look like the recorded {@code minimal} one beside what they say themselves. */
    StubData(JsonNode minimal) {
        this.defaults = minimal.deepCopy();
    }

    Optional<ObjectNode> definition(String collection) {
        return Optional.ofNullable(classes.get(capitalised(collection)));
    }

    ArrayNode definitions() {
        ArrayNode all = Json.array();
        // Weaviate's order is random; anything but the sorted one will do.
        new TreeMap<>(classes).descendingMap().values().forEach(all::add);
        return all;
    }

    /** Creates a collection; the message if it is refused. */
    Optional<String> create(ObjectNode given) {
        String name = capitalised(given.path("class").asText());
        if (classes.containsKey(name)) {
            return Optional.of("class name " + name + " already exists");
        }
        for (String existing : classes.keySet()) {
            if (existing.equalsIgnoreCase(name)) {
                return Optional.of("class already exists: found similar class \"" + existing + "\"");
            }
        }
        ObjectNode stored = defaults.deepCopy();
        for (JsonNode property : given.path("properties")) {
            String type = property.path("dataType").path(0).asText();
            if (Character.isUpperCase(type.charAt(0)) && !classes.containsKey(type)) {
                return Optional.of("bad request: reference property to nonexistent class");
            }
            if (type.matches("no-such.*")) {
                return Optional.of("property '" + property.path("name").asText() + "': invalid dataType: [" + type
                        + "]: unknown primitive data type '" + type + "'");
            }
        }
        for (Map.Entry<String, JsonNode> vector : given.path("vectorConfig").properties()) {
            String module = vector.getValue().path("vectorizer").fieldNames().next();
            if (!module.equals("none")) {
                return Optional.of("target vector \"" + vector.getKey() + "\": vectorizer: no module with name \""
                        + module + "\" present");
            }
        }
        stored.setAll(given);
        stored.put("class", name);
        if (given.has("vectorConfig")) {
            stored.remove("vectorizer");
        }
        ArrayNode properties = Json.array();
        given.path("properties").forEach(property -> properties.add(stored(property)));
        if (properties.isEmpty()) {
            stored.putNull("properties");
        } else {
            stored.set("properties", properties);
        }
        classes.put(name, stored);
        return Optional.empty();
    }

    private static ObjectNode stored(JsonNode property) {
        ObjectNode stored = Json.object();
        boolean text = property.path("dataType").path(0).asText().startsWith("text");
        stored.put("indexFilterable", true).put("indexRangeFilters", false).put("indexSearchable", text);
        stored.setAll((ObjectNode) property);
        stored.put(
                "name", WeaviateIdentifiers.uncapitalised(property.path("name").asText()));
        if (text && !stored.has("tokenization")) {
            stored.put("tokenization", "word");
        }
        return stored;
    }

    void drop(String collection) {
        String name = capitalised(collection);
        classes.remove(name);
        tenants.remove(name);
        objects.keySet().removeIf(key -> key.startsWith(name + "/"));
    }

    boolean multiTenant(String collection) {
        return definition(collection)
                .map(d -> d.path("multiTenancyConfig").path("enabled").asBoolean())
                .orElse(false);
    }

    /** Tenants and their states. */
    Map<String, String> tenants(String collection) {
        return tenants.computeIfAbsent(capitalised(collection), _ -> new TreeMap<>());
    }

    /** Why there is no way to the objects of {@code tenant}, if there is none. */
    Optional<String> barrier(String collection, @Nullable String tenant) {
        String name = capitalised(collection);
        if (multiTenant(name) != (tenant != null)) {
            return Optional.of("class " + name + " has multi-tenancy " + (tenant == null ? "enabled" : "disabled")
                    + ", but request was with" + (tenant == null ? "out" : "") + " tenant");
        }
        if (tenant == null) {
            return Optional.empty();
        }
        String state = tenants(name).get(tenant);
        if (state == null) {
            return Optional.of("tenant not found: \"" + tenant + "\"");
        }
        return state.equals("HOT") ? Optional.empty() : Optional.of("tenant not active: '" + tenant + "'");
    }

    /** The objects of a collection or tenant, by id. */
    Map<String, ObjectNode> objects(String collection, @Nullable String tenant) {
        return objects.computeIfAbsent(
                capitalised(collection) + "/" + (tenant == null ? "" : tenant), _ -> new TreeMap<>());
    }

    /** Stores one object of a batch and gives the entry of the answer. */
    ObjectNode put(ObjectNode given) {
        ObjectNode entry = given.deepCopy();
        String name = capitalised(given.path("class").asText());
        entry.put("class", name);
        if (entry.path("id").asText().isEmpty()) {
            entry.put("id", UUID.randomUUID().toString());
        }
        entry.put("creationTimeUnix", ++clock).put("lastUpdateTimeUnix", clock);
        entry.putNull("deprecations");
        ObjectNode result = Json.object();
        String tenant = given.hasNonNull("tenant") ? given.path("tenant").asText() : null;
        Optional<String> problem = problem(name, tenant, given);
        if (problem.isPresent()) {
            result.putObject("errors").putArray("error").addObject().put("message", problem.get());
            result.put("status", "FAILED");
        } else {
            result.put("status", "SUCCESS");
            store(name, tenant, entry);
        }
        entry.set("result", result);
        return entry;
    }

    private void store(String name, @Nullable String tenant, ObjectNode entry) {
        ObjectNode object = entry.deepCopy();
        object.remove("deprecations");
        object.putNull("vectorWeights");
        objects(name, tenant).put(object.path("id").asText(), object);
        ObjectNode definition = definition(name).orElseThrow();
        for (Map.Entry<String, JsonNode> property : entry.path("properties").properties()) {
            if (property(name, property.getKey()).isMissingNode()) {
                if (!definition.path("properties").isArray()) {
                    definition.putArray("properties");
                }
                definition
                        .withArray("properties")
                        .addObject()
                        .put("name", property.getKey())
                        .put("indexSearchable", property.getValue().isTextual())
                        .putArray("dataType")
                        .add(property.getValue().isTextual() ? "text" : "number");
            }
        }
    }

    private Optional<String> problem(String name, @Nullable String tenant, ObjectNode given) {
        if (!classes.containsKey(name)) {
            ObjectNode made = Json.object().put("class", name);
            made.putObject("vectorConfig")
                    .putObject("default")
                    .putObject("vectorizer")
                    .putObject("none");
            create(made);
        }
        Optional<String> barrier = barrier(name, tenant);
        if (barrier.isPresent()) {
            return barrier;
        }
        for (Map.Entry<String, JsonNode> entry : given.path("properties").properties()) {
            JsonNode property = property(name, entry.getKey());
            Optional<String> wrong =
                    wrongType(property.path("dataType").path(0).asText(), entry.getKey(), entry.getValue(), name);
            if (wrong.isPresent()) {
                return wrong;
            }
            if (entry.getKey().equals("id")) {
                return Optional.of("auto-schema: update collection: 'id' is a reserved property name");
            }
        }
        JsonNode configured = definition(name).orElseThrow().path("vectorConfig");
        for (Map.Entry<String, JsonNode> vector : given.path("vectors").properties()) {
            if (!configured.has(vector.getKey())) {
                return Optional.of("collection " + name + " does not have configuration for vector " + vector.getKey());
            }
        }
        return dimensions(name, tenant, given);
    }

    private Optional<String> dimensions(String name, @Nullable String tenant, ObjectNode given) {
        int size = given.path("vector").size();
        for (ObjectNode other : objects(name, tenant).values()) {
            int length = other.path("vector").size();
            if (size > 0 && length > 0 && length != size) {
                return Optional.of("Validate vector index for "
                        + given.path("id").asText()
                        + ": new node has a vector with length " + size + ". Existing nodes have vectors with length "
                        + length + ": vector dimensions do not match the index dimensions");
            }
        }
        return Optional.empty();
    }

    private JsonNode property(String collection, String name) {
        for (JsonNode property : definition(collection).orElseThrow().path("properties")) {
            if (property.path("name").asText().equals(name)) {
                return property;
            }
        }
        return Json.object().path(name);
    }

    private static Optional<String> wrongType(String type, String name, JsonNode value, String collection) {
        String where = " property '" + name + "' on class '" + collection + "': ";
        return switch (type) {
            case "text" ->
                value.isTextual() || value.isNull()
                        ? Optional.empty()
                        : Optional.of("invalid text" + where + "not a string, but json.Number");
            case "int" ->
                value.isIntegralNumber()
                        ? Optional.empty()
                        : Optional.of("invalid integer" + where + "requires an integer, the given value is '"
                                + value.asText() + "'");
            case "boolean" ->
                value.isBoolean()
                        ? Optional.empty()
                        : Optional.of("invalid boolean" + where + "not a bool, but string");
            case "date" -> {
                try {
                    var _ = OffsetDateTime.parse(value.asText());
                    yield Optional.empty();
                } catch (DateTimeParseException _) {
                    yield Optional.of("invalid date" + where + "requires a string with a RFC3339 formatted date");
                }
            }
            default -> Optional.empty();
        };
    }

    private static String capitalised(String name) {
        return name.isEmpty() ? name : WeaviateIdentifiers.capitalised(name);
    }
}
