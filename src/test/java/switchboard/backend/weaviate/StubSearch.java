package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * Answers GraphQL. Which objects a hybrid search finds, in what order and with what scores, is looked up in the
 * recordings by what was asked; their properties are the stub's own, so any selection can be answered.
 */
final class StubSearch {
    private static final int HYBRID_LIMIT = 100;
    private static final Pattern TEXT_VARIABLE = Pattern.compile("\\$(\\w+):String[!,)]");
    private static final Set<String> ADDITIONAL = Set.of(
            "id",
            "score",
            "explainScore",
            "creationTimeUnix",
            "lastUpdateTimeUnix",
            "vector",
            "vectors",
            "distance",
            "certainty");

    private static final List<Recorded> RECORDED = Recording.all().values().stream()
            .filter(recording -> recording.path().equals("/v1/graphql") && recording.status() == 200)
            .flatMap(recording -> read(recording).stream())
            .toList();

    private final StubData data;
    private volatile boolean anything;
    private volatile boolean ranking;
    private volatile int maximumResults = 10_000;

    private record Recorded(GraphQlDocument document, ObjectNode asked, JsonNode answer) {
        int limit() {
            return document.arguments().path("limit").asInt(HYBRID_LIMIT);
        }

        JsonNode rows() {
            return answer.path("data").path("Get").path(document.collection());
        }
    }

    StubSearch(StubData data) {
        this.data = data;
    }

    private static Optional<Recorded> read(Recording recording) {
        try {
            GraphQlDocument document = GraphQlDocument.read(recording.body());
            String error =
                    recording.answer().path("errors").path(0).path("message").asText();
            boolean usable = !error.matches("(?s).*(?:sub selection|Cannot query field|used in position).*")
                    && !document.arguments().has("offset")
                    && document.arguments().has("hybrid")
                    && document.viaVariables().stream().noneMatch(name -> name.equals("limit"));
            return usable
                    ? Optional.of(new Recorded(document, asked(document.arguments()), recording.answer()))
                    : Optional.empty();
        } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
            return Optional.empty();
        }
    }

    /** The answer, or empty if nothing is known about such a question. */
    Optional<ObjectNode> answer(JsonNode request) {
        Optional<ObjectNode> numbers = StubNumbers.answer(data, request);
        if (numbers.isPresent()) {
            return numbers;
        }
        GraphQlDocument document = GraphQlDocument.read(request);
        requireKnownForm(document, request.path("query").asText());
        Optional<ObjectNode> mistyped = mistyped(document, request.path("query").asText());
        if (mistyped.isPresent()) {
            return mistyped;
        }
        ObjectNode arguments = document.arguments();
        String name = document.collection();
        if (data.definition(name)
                .filter(d -> d.path("class").asText().equals(name))
                .isEmpty()) {
            return Optional.of(invalid("Cannot query field \"" + name + "\" on type \"GetObjectsObj\"."));
        }
        if (document.viaVariables().contains("limit") || document.viaVariables().contains("offset")) {
            return Optional.of(failed(name, "interface conversion: interface {} is int64, not int"));
        }
        String tenant = arguments.has("tenant") ? arguments.path("tenant").asText() : null;
        if (tenant != null && !data.multiTenant(name)) {
            return Optional.of(
                    invalid("Unknown argument \"tenant\" on field \"" + name + "\" of type \"GetObjectsObj\"."));
        }
        Optional<String> barrier = data.barrier(name, tenant);
        if (barrier.isPresent()) {
            return Optional.of(failed(
                    name, "object search at index " + name.toLowerCase(java.util.Locale.ROOT) + ": " + barrier.get()));
        }
        for (GraphQlDocument.Field field : document.selection()) {
            if (!field.name().equals("_additional") && !hasProperty(name, field.name())) {
                return Optional.of(invalid("Cannot query field \"" + field.name() + "\" on type \"" + name + "\"."));
            }
        }
        Optional<String> refusal = filterRefusal(name, arguments);
        if (refusal.isPresent()) {
            return Optional.of(failed(name, refusal.get()));
        }
        return arguments.has("hybrid") ? hybrid(document, tenant) : Optional.of(get(document, tenant));
    }

    /** What the gateway never writes: Weaviate answers it with words of its parser, or in its own way. */
    private void requireKnownForm(GraphQlDocument document, String query) {
        ObjectNode arguments = document.arguments();
        JsonNode limit = arguments.path("limit");
        boolean lists = document.viaVariables().contains("where")
                && StreamSupport.stream(arguments.path("where").spliterator(), false)
                        .anyMatch(value -> value.isArray()
                                && !value.path(0).isTextual()
                                && !value.path(0).isObject());
        boolean unanswered = arguments.path("hybrid").has("query")
                && arguments.path("hybrid").path("query").isMissingNode();
        boolean wrongLimit = limit.isValueNode() && (!limit.isIntegralNumber() || limit.asInt() < 0);
        if (wrongLimit || query.contains("fusionType:\"") || lists || unanswered) {
            throw new IllegalArgumentException("a document that the gateway never writes: " + arguments);
        }
        CollectionSchema schema =
                data.definition(document.collection()).map(CollectionSchema::of).orElse(null);
        for (GraphQlDocument.Field field : document.selection()) {
            boolean additional = field.name().equals("_additional");
            Optional<CollectionSchema.Property> property =
                    additional || schema == null ? Optional.empty() : schema.property(field.name());
            boolean whole = property.map(p ->
                            p.nested().isEmpty() && !p.reference() && !p.type().matches("geoCoordinates|phoneNumber"))
                    .orElse(false);
            boolean parts = !field.fields().isEmpty();
            boolean unknown = additional
                    && field.fields().stream()
                            .anyMatch(f -> !ADDITIONAL.contains(f.name())
                                    || (schema != null
                                            && f.fields().stream().anyMatch(v -> !schema.vectorizers()
                                                    .containsKey(v.name()))));
            if (unknown || (property.isPresent() && whole == parts)) {
                throw new IllegalArgumentException("a selection that the gateway never writes: " + field);
            }
        }
    }

    private static Optional<ObjectNode> mistyped(GraphQlDocument document, String query) {
        Matcher variable = TEXT_VARIABLE.matcher(query);
        while (variable.find()) {
            if (query.contains("valueText:$" + variable.group(1))) {
                return Optional.of(invalid("Variable \"$" + variable.group(1)
                        + "\" of type \"String\" used in position expecting type \"TextGetObjects"
                        + document.collection() + "\"."));
            }
        }
        return Optional.empty();
    }

    private Optional<String> filterRefusal(String name, ObjectNode arguments) {
        JsonNode where = arguments.path("where");
        if (!where.isObject()) {
            return Optional.empty();
        }
        JsonNode definition = data.definition(name).orElseThrow();
        String index = name.toLowerCase(java.util.Locale.ROOT);
        String steps = arguments.path("hybrid").path("alpha").asDouble(0.75) == 0
                ? "object search at index " + index + ": local shard object search " + index + "_oCikfKcoB6yn: "
                : "explorer: get class: vector search: object vector search at index " + index + ": shard " + index
                        + "_HAmXV0sxYU7u: build inverted filter allow list: ";
        return StubFilterRules.form(where)
                .map(message -> "could not extract filters: " + message)
                .or(() -> StubFilterRules.types(where, definition).map(message -> "invalid 'where' filter: " + message))
                .or(() -> StubFilterRules.search(where, definition).map(message -> steps + message));
    }

    private Optional<ObjectNode> hybrid(GraphQlDocument document, @Nullable String tenant) {
        ObjectNode asked = asked(document.arguments());
        int limit = document.arguments().path("limit").asInt(HYBRID_LIMIT);
        for (Recorded known : RECORDED) {
            boolean answers = known.document().collection().equals(document.collection())
                    && known.asked().equals(asked)
                    && (limit <= known.limit() || known.rows().size() < known.limit())
                    && (!wants(document, "explainScore") || known.answer().has("errors") || explains(known));
            if (answers && known.answer().has("errors")) {
                return Optional.of(known.answer().deepCopy());
            }
            if (answers) {
                return Optional.of(rows(document, tenant, known.rows(), limit));
            }
        }
        if (HYBRID_LIMIT > maximumResults) {
            return Optional.of(failed(
                    document.collection(),
                    "invalid pagination params: query maximum results exceeded: the total limit calculated from the"
                            + " provided offset '0' and limit '" + HYBRID_LIMIT
                            + "' exceeds the configured value for QUERY_MAXIMUM_RESULTS '" + maximumResults + "'"));
        }
        double alpha = document.arguments().path("hybrid").path("alpha").asDouble(0.75);
        if (alpha < 1 && !hasKeywords(document.collection())) {
            return Optional.of(failed(
                    document.collection(),
                    "object search at index " + document.collection().toLowerCase(java.util.Locale.ROOT)
                            + ": No properties provided, and no indexed properties found in class"));
        }
        if (ranking) {
            return Optional.of(ranked(document, tenant, limit));
        }
        return anything ? Optional.of(got(document.collection(), Json.array())) : Optional.empty();
    }

    private static boolean wants(GraphQlDocument document, String additional) {
        return document.selection().stream()
                .flatMap(field -> field.fields().stream())
                .anyMatch(field -> field.name().equals(additional));
    }

    private static boolean explains(Recorded known) {
        return known.rows().isEmpty()
                || known.rows().path(0).path("_additional").has("explainScore");
    }

    /** As {@code QUERY_MAXIMUM_RESULTS}. */
    void maximumResults(int most) {
        maximumResults = most;
    }

    /** From now on a search that no recording answers finds nothing. */
    void answerAnything() {
        anything = true;
    }

    /** From now on a search that no recording answers is answered by {@link StubRanking}. */
    void rankAnything() {
        ranking = true;
    }

    private ObjectNode ranked(GraphQlDocument document, @Nullable String tenant, int limit) {
        Map<String, ObjectNode> objects = data.objects(document.collection(), tenant);
        ArrayNode rows = Json.array();
        StubRanking.of(objects.values(), document.arguments(), data.wholeTexts(document.collection()))
                .entrySet()
                .stream()
                .limit(limit)
                .forEach(scored -> rows.add(project(
                        Objects.requireNonNull(objects.get(scored.getKey())),
                        document.selection(),
                        Json.object().put("score", Double.toString(scored.getValue())))));
        return got(document.collection(), rows);
    }

    private ObjectNode rows(GraphQlDocument document, @Nullable String tenant, JsonNode known, int limit) {
        ArrayNode rows = Json.array();
        for (JsonNode row : known) {
            if (rows.size() < limit) {
                JsonNode object = data.objects(document.collection(), tenant).values().stream()
                        .filter(isRow(row))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no object for the recorded " + row));
                rows.add(project(object, document.selection(), row.path("_additional")));
            }
        }
        return got(document.collection(), rows);
    }

    private static Predicate<JsonNode> isRow(JsonNode row) {
        String id = row.path("_additional").path("id").asText();
        return object -> id.isEmpty()
                ? row.properties().stream()
                        .filter(entry -> !entry.getKey().equals("_additional"))
                        .allMatch(entry -> object.path("properties")
                                .path(entry.getKey())
                                .asText()
                                .equals(entry.getValue().asText()))
                : object.path("id").asText().equals(id);
    }

    private ObjectNode get(GraphQlDocument document, @Nullable String tenant) {
        Predicate<JsonNode> filter = document.arguments().has("where")
                ? StubFilter.of(document.arguments().path("where"), data.wholeTexts(document.collection()))
                : _ -> true;
        int limit = document.arguments().path("limit").asInt(10);
        ArrayNode rows = Json.array();
        List<ObjectNode> all =
                new ArrayList<>(data.objects(document.collection(), tenant).values());
        // Weaviate's order is arbitrary here; anything but the asked one will do.
        List<ObjectNode> ordered = all.reversed();
        if (document.arguments()
                .path("sort")
                .path(0)
                .path("path")
                .path(0)
                .asText()
                .equals("_id")) {
            ordered = all.stream()
                    .sorted(Comparator.comparing(object -> object.path("id").asText()))
                    .toList();
        }
        ordered.stream()
                .filter(filter)
                .limit(limit)
                .forEach(object -> rows.add(project(object, document.selection(), Json.object())));
        return got(document.collection(), rows);
    }

    private ObjectNode project(JsonNode object, List<GraphQlDocument.Field> selection, JsonNode recordedAdditional) {
        ObjectNode row = Json.object();
        for (GraphQlDocument.Field field : selection) {
            if (field.name().equals("_additional")) {
                row.set("_additional", additional(object, field.fields(), recordedAdditional));
            } else {
                JsonNode value = object.path("properties").path(field.name());
                row.set(
                        field.name(),
                        value.isMissingNode()
                                ? Json.mapper().nullNode()
                                : StubIntegers.carried(part(value, field.fields())));
            }
        }
        return row;
    }

    private JsonNode part(JsonNode value, List<GraphQlDocument.Field> fields) {
        if (fields.isEmpty()) {
            return value;
        }
        if (value.isArray()) {
            ArrayNode list = Json.array();
            value.forEach(element -> list.add(part(element, fields)));
            return list;
        }
        if (value.has("beacon")) {
            String[] beacon = value.path("beacon").asText().split("/", -1);
            String target = beacon[beacon.length - 2];
            JsonNode object = data.objects(target, null).get(beacon[beacon.length - 1]);
            List<GraphQlDocument.Field> wanted = fields.stream()
                    .filter(field -> field.on().equals(target))
                    .flatMap(field -> field.fields().stream())
                    .toList();
            return object == null ? Json.object() : project(object, wanted, Json.object());
        }
        ObjectNode nested = Json.object();
        for (GraphQlDocument.Field field : fields) {
            JsonNode member = value.path(field.name());
            nested.set(field.name(), member.isMissingNode() ? Json.mapper().nullNode() : part(member, field.fields()));
        }
        return nested;
    }

    private static ObjectNode additional(
            JsonNode object, List<GraphQlDocument.Field> fields, JsonNode recordedAdditional) {
        ObjectNode additional = Json.object();
        for (GraphQlDocument.Field field : fields) {
            switch (field.name()) {
                case "id" -> additional.set("id", object.path("id"));
                case "creationTimeUnix", "lastUpdateTimeUnix" ->
                    additional.put(field.name(), object.path(field.name()).asText());
                case "vector" -> additional.set("vector", Json.array().addAll(list(object.path("vector"))));
                case "vectors" -> {
                    ObjectNode vectors = additional.putObject("vectors");
                    field.fields()
                            .forEach(v -> vectors.set(
                                    v.name(),
                                    Json.array()
                                            .addAll(list(object.path("vectors").path(v.name())))));
                }
                case "score" ->
                    additional.put("score", recordedAdditional.path("score").asText("1"));
                case "explainScore" ->
                    additional.put(
                            "explainScore",
                            recordedAdditional.path("explainScore").asText());
                default -> additional.putNull(field.name());
            }
        }
        return additional;
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> list = new ArrayList<>();
        array.forEach(list::add);
        return list;
    }

    private boolean hasKeywords(String collection) {
        return CollectionSchema.of(data.definition(collection).orElseThrow()).hasKeywords();
    }

    private boolean hasProperty(String collection, String name) {
        for (JsonNode property : data.definition(collection).orElseThrow().path("properties")) {
            if (property.path("name").asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** What was asked but for the limit, with what is left out said, and numbers in one form. */
    private static ObjectNode asked(ObjectNode arguments) {
        ObjectNode asked = (ObjectNode) canonical(arguments);
        asked.remove("limit");
        ObjectNode hybrid = (ObjectNode) asked.path("hybrid");
        if (!hybrid.has("alpha")) {
            hybrid.put("alpha", "0.75");
        }
        if (!hybrid.has("fusionType")) {
            hybrid.put("fusionType", "relativeScoreFusion");
        }
        if (hybrid.path("targetVectors").isTextual()) {
            JsonNode target = hybrid.path("targetVectors");
            hybrid.putArray("targetVectors").add(target);
        }
        return asked;
    }

    private static JsonNode canonical(JsonNode value) {
        if (value.isObject()) {
            ObjectNode object = Json.object();
            for (Map.Entry<String, JsonNode> entry : value.properties()) {
                object.set(entry.getKey(), canonical(entry.getValue()));
            }
            return object;
        }
        if (value.isArray()) {
            ArrayNode list = Json.array();
            value.forEach(element -> list.add(canonical(element)));
            return list;
        }
        String text = value.isNumber()
                ? value.decimalValue().stripTrailingZeros().toPlainString()
                : value.asText().replaceFirst("^@", "");
        return Json.mapper().valueToTree(text);
    }

    private static ObjectNode got(String collection, JsonNode rows) {
        ObjectNode answer = Json.object();
        answer.putObject("data").putObject("Get").set(collection, rows);
        return answer;
    }

    private static ObjectNode invalid(String message) {
        ObjectNode answer = Json.object();
        answer.putArray("errors").addObject().put("message", message).putNull("path");
        return answer;
    }

    private static ObjectNode failed(String collection, String message) {
        ObjectNode answer = got(collection, Json.mapper().nullNode());
        answer.putArray("errors").addObject().put("message", message);
        return answer;
    }
}
