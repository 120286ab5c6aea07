package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleBiFunction;
import switchboard.call.Json;
import switchboard.testing.WordRanking;

/**
 * A stand-in for the searches by vector of OpenSearch's kNN plugin, or of Elasticsearch, of which neither can be had for
 * tests: one index {@code docs} with the fields {@code text}, {@code groups} and {@code meta.vector}. It refuses whatever the
 * reference of the engine's query language does not have, computes cosines exactly, and filters before it takes the nearest.
 */
final class VectorEngine implements AutoCloseable {
    private final HttpServer server;
    private final boolean elasticsearch;
    private final Map<String, ObjectNode> documents = new LinkedHashMap<>();

    /** The bodies of searches. */
    final List<JsonNode> asked = new CopyOnWriteArrayList<>();

    /** Whether it refuses filters inside of searches by vector, as OpenSearch does for some kinds of index. */
    volatile boolean withoutFilters;

    /** Whether it keeps vectors to itself, as Elasticsearch does from 9.2 on. */
    volatile boolean withoutVectors;

    VectorEngine(boolean elasticsearch) throws IOException {
        this.elasticsearch = elasticsearch;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void add(String id, String text, String group, double... vector) {
        ObjectNode source = Json.object().put("text", text).put("groups", group);
        ArrayNode numbers = source.putObject("meta").putArray("vector");
        for (double number : vector) {
            numbers.add(number);
        }
        documents.put(id, source);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] given = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            JsonNode answer;
            int status = 200;
            try {
                answer = switch (path) {
                    case "/_resolve/index/*" ->
                        Json.parse("{\"indices\": [{\"name\": \"docs\"}], \"aliases\": [], \"data_streams\": []}");
                    case "/docs/_mapping" -> mapping();
                    case "/_msearch" ->
                        Json.parse("{\"responses\": [{\"hits\": {\"total\": {\"value\": " + documents.size() + "}}}]}");
                    case "/docs/_search" -> search(Json.parse(given));
                    default -> throw new IllegalArgumentException("no handler for " + path);
                };
            } catch (IllegalArgumentException refused) {
                status = 400;
                answer = Json.object();
                ((ObjectNode) answer)
                        .putObject("error")
                        .put("type", "parsing_exception")
                        .put("reason", refused.getMessage());
            }
            byte[] bytes = Json.bytes(answer);
            exchange.getResponseHeaders().set("Content-Type", "application/json; charset=UTF-8");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private JsonNode mapping() {
        ObjectNode answer = Json.object();
        ObjectNode fields = answer.putObject("docs").putObject("mappings").putObject("properties");
        fields.putObject("text").put("type", "text");
        fields.putObject("groups").put("type", "keyword");
        ObjectNode vector = fields.putObject("meta").putObject("properties").putObject("vector");
        if (elasticsearch) {
            vector.put("type", "dense_vector").put("dims", 4).put("similarity", "cosine");
        } else {
            vector.put("type", "knn_vector")
                    .put("dimension", 4)
                    .putObject("method")
                    .put("space_type", "cosinesimil");
        }
        fields.putObject("other")
                .put("type", elasticsearch ? "dense_vector" : "knn_vector")
                .put("dims", 7)
                .put("dimension", 7);
        return answer;
    }

    private JsonNode search(JsonNode body) {
        asked.add(body);
        keys(body, Set.of("size", "from", "query", "knn", "_source", "sort", "highlight", "track_total_hits"));
        if (body.has("knn")) {
            JsonNode knn = body.path("knn");
            keys(knn, Set.of("field", "query_vector", "k", "num_candidates", "filter"));
            if (!elasticsearch
                    || knn.path("num_candidates").asInt() < knn.path("k").asInt()) {
                throw new IllegalArgumentException("[num_candidates] cannot be less than [k]");
            }
            return nearest(knn.path("field"), knn.path("query_vector"), knn.path("k"), knn.path("filter"), body);
        }
        JsonNode bool = body.path("query").path("bool");
        keys(bool, Set.of("must", "filter"));
        JsonNode must = bool.path("must").path(0);
        if (must.has("knn")) {
            if (elasticsearch) {
                throw new IllegalArgumentException("unknown query [knn]");
            }
            Map.Entry<String, JsonNode> field =
                    must.path("knn").properties().iterator().next();
            keys(field.getValue(), Set.of("vector", "k", "filter"));
            if (withoutFilters && field.getValue().has("filter")) {
                throw new IllegalArgumentException("Engine [NMSLIB] does not support filters");
            }
            return nearest(
                    Json.mapper().valueToTree(field.getKey()),
                    field.getValue().path("vector"),
                    field.getValue().path("k"),
                    field.getValue().path("filter"),
                    body);
        }
        ObjectNode filter = Json.object();
        filter.putObject("bool").set("filter", bool.path("filter"));
        if (must.has("ids")) {
            Set<String> ids = new TreeSet<>();
            must.path("ids").path("values").forEach(id -> ids.add(id.asText()));
            return hits(
                    (id, _) -> ids.contains(id) ? 1 : 0,
                    filter,
                    body.path("size").asInt(),
                    body);
        }
        if (must.has("match_all")) {
            return hits((_, _) -> 1, filter, body.path("size").asInt(), body);
        }
        if (!must.has("multi_match")) {
            throw new IllegalArgumentException("unknown query " + must);
        }
        Set<String> words = new TreeSet<>(
                WordRanking.words(must.path("multi_match").path("query").asText()));
        return hits(
                (_, document) -> WordRanking.words(document.path("text").asText()).stream()
                        .filter(words::contains)
                        .count(),
                filter,
                body.path("size").asInt(),
                body);
    }

    private JsonNode nearest(JsonNode field, JsonNode vector, JsonNode count, JsonNode filter, JsonNode body) {
        if (!field.asText().equals("meta.vector") || vector.size() != 4) {
            throw new IllegalArgumentException("[knn] Query vector has invalid dimension");
        }
        return hits(
                (_, document) -> (1 + cosine(vector, document.path("meta").path("vector"))) / 2,
                filter,
                Math.min(count.asInt(), body.path("size").asInt()),
                body);
    }

    private JsonNode hits(ToDoubleBiFunction<String, JsonNode> score, JsonNode filter, int count, JsonNode body) {
        List<ObjectNode> hits = new ArrayList<>();
        documents.forEach((id, source) -> {
            double reached = score.applyAsDouble(id, source);
            if (reached > 0 && allowed(filter, source)) {
                ObjectNode hit =
                        Json.object().put("_index", "docs").put("_id", id).put("_score", reached);
                ObjectNode shown = source.deepCopy();
                for (JsonNode hidden : body.path("_source").path("excludes")) {
                    if (hidden.asText().equals("meta.vector")) {
                        shown.withObjectProperty("meta").remove("vector");
                    }
                }
                if (withoutVectors) {
                    shown.withObjectProperty("meta").remove("vector");
                }
                if (!body.path("_source").isBoolean()) {
                    hit.set("_source", shown);
                }
                hits.add(hit);
            }
        });
        hits.sort(Comparator.comparingDouble(
                        (ObjectNode hit) -> hit.path("_score").asDouble())
                .reversed());
        ObjectNode answer = Json.object().put("timed_out", false);
        ObjectNode found = answer.putObject("hits");
        found.putObject("total").put("value", hits.size()).put("relation", "eq");
        ArrayNode all = found.putArray("hits");
        hits.stream().limit(count).forEach(all::add);
        return answer;
    }

    private static boolean allowed(JsonNode filter, JsonNode source) {
        for (JsonNode query : filter.path("bool").path("filter")) {
            String wanted = query.path("term")
                    .path("groups")
                    .asText(query.path("terms").path("groups").path(0).asText());
            if (!source.path("groups").asText().equals(wanted)) {
                return false;
            }
        }
        return true;
    }

    private static double cosine(JsonNode one, JsonNode other) {
        double product = 0;
        double first = 0;
        double second = 0;
        for (int i = 0; i < one.size(); i++) {
            product += one.get(i).asDouble() * other.get(i).asDouble();
            first += one.get(i).asDouble() * one.get(i).asDouble();
            second += other.get(i).asDouble() * other.get(i).asDouble();
        }
        return product / Math.sqrt(first * second);
    }

    private static void keys(JsonNode object, Set<String> known) {
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown field [" + name + "]");
            }
        });
    }
}
