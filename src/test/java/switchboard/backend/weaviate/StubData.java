package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** The collections, tenants and objects of the stub; checks what Weaviate checks, in its words as recorded. */
final class StubData {
    private static final Pattern INTERNATIONAL_PHONE = Pattern.compile("\\+(?<country>[0-9]{2}) (?<national>[0-9 ]+)");
    private final Map<String, ObjectNode> classes = new TreeMap<>();
    private final Map<String, Map<String, String>> tenants = new TreeMap<>();
    private final Map<String, Map<String, ObjectNode>> objects = new TreeMap<>();
    private final ObjectNode defaults;
    private long clock = 1_795_226_680_000L;
    private boolean autoSchema = true;

    /** Empty data; new collections look like the recorded {@code minimal} one beside what they say themselves. */
    StubData(JsonNode minimal) {
        this.defaults = minimal.deepCopy();
    }

    /** Whether objects make what the schema lacks. */
    void autoSchema(boolean on) {
        autoSchema = on;
    }

    /** Whether the collection has the property; {@code ""} counts as one. */
    boolean hasProperty(String collection, String name) {
        return name.isEmpty() || !property(capitalised(collection), name).isMissingNode();
    }

    /** The texts of a collection that are not cut into words. */
    Set<String> wholeTexts(String collection) {
        Set<String> whole = new HashSet<>();
        definition(collection)
                .ifPresent(definition -> definition.path("properties").forEach(property -> {
                    if (property.path("tokenization").asText().equals("field")) {
                        whole.add(property.path("name").asText());
                    }
                }));
        return whole;
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
        ObjectNode tenancy = stored.path("multiTenancyConfig").deepCopy();
        stored.setAll(given);
        if (given.path("multiTenancyConfig") instanceof ObjectNode wanted) {
            stored.set("multiTenancyConfig", tenancy.setAll(wanted));
        }
        if (stored.path("multiTenancyConfig").path("enabled").asBoolean()) {
            stored.set("shardingConfig", zeros(stored.path("shardingConfig")));
        }
        if (stored.path("vectorConfig") instanceof ObjectNode vectors) {
            vectors.forEach(vector -> namedVector((ObjectNode) vector));
            stored.remove(List.of("vectorIndexConfig", "vectorIndexType"));
        }
        stored.remove("noSuchKey"); // what Weaviate doesn't know it doesn't keep
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

    private static ObjectNode zeros(JsonNode config) {
        ObjectNode zeros = Json.object();
        config.properties().forEach(member -> {
            if (member.getValue().isTextual()) {
                zeros.put(member.getKey(), "");
            } else {
                zeros.put(member.getKey(), 0);
            }
        });
        return zeros;
    }

    private void namedVector(ObjectNode vector) {
        if (!vector.has("vectorIndexConfig")) {
            vector.set("vectorIndexConfig", defaults.path("vectorIndexConfig"));
        }
        if (!vector.has("vectorIndexType")) {
            vector.put("vectorIndexType", "hnsw");
        }
    }

    private static ObjectNode stored(JsonNode property) {
        ObjectNode stored = Json.object();
        boolean old = property.path("dataType").path(0).asText().startsWith("string");
        boolean text = old || property.path("dataType").path(0).asText().startsWith("text");
        stored.put("indexFilterable", true).put("indexRangeFilters", false).put("indexSearchable", text);
        stored.setAll((ObjectNode) property);
        stored.put(
                "name", WeaviateIdentifiers.uncapitalised(property.path("name").asText()));
        if (text && !stored.has("tokenization")) {
            stored.put("tokenization", old ? "whitespace" : "word");
        }
        if (old) {
            stored.putArray("dataType")
                    .add(property.path("dataType").path(0).asText().replace("string", "text"));
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
        if (entry.path("properties") instanceof ObjectNode properties) {
            List.copyOf(properties.properties()).stream()
                    .filter(property -> property.getValue().isNull())
                    .forEach(property -> properties.remove(property.getKey()));
        } else {
            entry.putObject("properties");
        }
        vectorsOf(name, entry);
        ObjectNode result = Json.object();
        String tenant = given.hasNonNull("tenant") ? given.path("tenant").asText() : null;
        Optional<String> problem = problem(name, tenant, entry);
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

    /** Weaviate adds the parts of a phone number: of the one that is recorded, and of international ones without a rest. */
    private void completePhones(String name, JsonNode properties) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(properties.properties())) {
            String type =
                    property(name, entry.getKey()).path("dataType").path(0).asText();
            if (type.equals("phoneNumber")) {
                completedPhone(entry.getValue().path("input"))
                        .ifPresent(phone -> ((ObjectNode) properties).set(entry.getKey(), phone));
            }
        }
    }

    private static Optional<JsonNode> completedPhone(JsonNode input) {
        JsonNode recorded = java.util.Objects.requireNonNull(Recording.all().get("object-get-complex"))
                .answer()
                .path("properties")
                .path("phone");
        if (input.equals(recorded.path("input"))) {
            return Optional.of(recorded);
        }
        Matcher international = INTERNATIONAL_PHONE.matcher(input.asText());
        if (!international.matches()) {
            return Optional.empty();
        }
        String national = international.group("national");
        return Optional.of(Json.object()
                .put("input", input.asText())
                .put("internationalFormatted", input.asText())
                .put("nationalFormatted", "0" + national)
                .put("national", Long.parseLong(national.replace(" ", "")))
                .put("countryCode", Integer.parseInt(international.group("country")))
                .put("valid", true));
    }

    /** A collection has one unnamed vector, or named ones: what is given for the other is put in its place. */
    private void vectorsOf(String name, ObjectNode entry) {
        boolean named = definition(name).map(d -> d.has("vectorConfig")).orElse(false);
        if (named && !entry.path("vector").isEmpty()) {
            entry.putObject("vectors").set("default", entry.remove("vector"));
        } else if (!named
                && definition(name).isPresent()
                && entry.path("vectors").has("default")) {
            entry.set("vector", entry.remove("vectors").path("default"));
        }
    }

    private void store(String name, @Nullable String tenant, ObjectNode entry) {
        ObjectNode object = entry.deepCopy();
        object.remove("deprecations");
        object.putNull("vectorWeights");
        completePhones(name, object.path("properties"));
        objects(name, tenant).put(object.path("id").asText(), object);
        ObjectNode definition = definition(name).orElseThrow();
        for (Map.Entry<String, JsonNode> property : entry.path("properties").properties()) {
            if (property(name, property.getKey()).isMissingNode()) {
                if (!definition.path("properties").isArray()) {
                    definition.putArray("properties");
                }
                ObjectNode made = Json.object().put("name", property.getKey());
                made.putArray("dataType").add(typeOf(property.getValue()));
                definition.withArray("properties").add(stored(made));
            }
        }
    }

    /** What a property is taken for that no schema declares. */
    private static String typeOf(JsonNode value) {
        if (value.isArray()) {
            return typeOf(value.path(0)) + "[]";
        }
        if (value.isBoolean()) {
            return "boolean";
        }
        if (!value.isTextual()) {
            return "number";
        }
        if (WeaviateIdentifiers.uuid(value.asText()).isPresent()) {
            return "uuid";
        }
        return value.asText().matches("\\d{4}-\\d\\d-\\d\\dT.*Z") ? "date" : "text";
    }

    private Optional<String> problem(String name, @Nullable String tenant, ObjectNode given) {
        if (!classes.containsKey(name) && !autoSchema) {
            return Optional.of("class '" + name + "' not present in schema");
        }
        if (!name.matches("[A-Z][_0-9A-Za-z]*")) {
            return Optional.of("auto-schema: create collection: '" + name + "' is not a valid class name");
        }
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
            if (property.isMissingNode() && !autoSchema) {
                return Optional.of("no such prop with name '" + entry.getKey() + "' found in class '" + name
                        + "' in the schema. Check your schema files for which properties in this class are available");
            }
            Optional<String> wrongName = StubSchemaRules.name(entry.getKey());
            if (wrongName.isPresent()) {
                return Optional.of("auto-schema: update collection: " + wrongName.get());
            }
        }
        JsonNode configured = definition(name).orElseThrow().path("vectorConfig");
        for (Map.Entry<String, JsonNode> vector : given.path("vectors").properties()) {
            if (!configured.has(vector.getKey())) {
                return Optional.of("collection " + name + " does not have configuration for vector " + vector.getKey());
            }
        }
        for (String vector :
                given.path("vectors").propertyStream().map(Map.Entry::getKey).toList()) {
            Optional<String> wrong =
                    dimensions(name, tenant, given, "/vectors/" + vector, " " + vector + " for target vector ");
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return dimensions(name, tenant, given, "/vector", " for ");
    }

    private Optional<String> dimensions(
            String name, @Nullable String tenant, ObjectNode given, String at, String where) {
        int size = given.at(at).size();
        for (ObjectNode other : objects(name, tenant).values()) {
            int length = other.at(at).size();
            if (size > 0 && length > 0 && length != size) {
                return Optional.of("Validate vector index" + where
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
                        : Optional.of("invalid integer" + where
                                + (value.isNumber()
                                        ? "the JSON number '" + value.asText() + "' could not be converted to an int"
                                        : "requires an integer, the given value is '" + value.asText() + "'"));
            case "number" ->
                value.isNumber()
                        ? Optional.empty()
                        : Optional.of("invalid number" + where + "requires a float, the given value is '"
                                + value.asText() + "'");
            case "text[]" ->
                value.isArray()
                        ? Optional.empty()
                        : Optional.of("invalid text array" + where + "not a text array, but string");
            case "object" ->
                value.isObject()
                        ? Optional.empty()
                        : Optional.of("invalid object" + where + "object must be a map, but got: string");
            case "boolean" ->
                value.isBoolean()
                        ? Optional.empty()
                        : Optional.of("invalid boolean" + where + "not a bool, but string");
            case "date" -> {
                try {
                    var _ = OffsetDateTime.parse(value.asText());
                    yield Optional.empty();
                } catch (DateTimeParseException _) {
                    yield Optional.of("invalid date" + where + "requires a string with a RFC3339 formatted date,"
                            + " but the given value is '" + value.asText() + "'");
                }
            }
            default -> Optional.empty();
        };
    }

    private static String capitalised(String name) {
        return name.isEmpty() ? name : WeaviateIdentifiers.capitalised(name);
    }
}
