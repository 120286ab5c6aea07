package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import switchboard.call.Json;
import switchboard.testing.WordRanking;

/**
 * A stand-in for Meilisearch that holds documents and ranks them: by how many of the query's words from its start a
 * document has (the first ten count, as in the engine), by the cosine of its vector, both lists merged by weighted score.
 * Knows of filters what the gateway compiles: {@code "field" <op> value}, all of which hold, and lists of
 * which one does.
 */
final class RankedMeilisearch implements AutoCloseable {
    private static final int WORDS = 10;
    private static final Pattern COMPARISON =
            Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\" (=|>=|>|<=|<) (?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\S+))");

    private final HttpServer server;
    private final Map<String, Index> indexes = new TreeMap<>();

    private static final class Index {
        final ObjectNode settings = Json.object();
        final Map<String, ObjectNode> documents = new LinkedHashMap<>();
        final WordRanking words = new WordRanking();
    }

    RankedMeilisearch() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            JsonNode json = body.length == 0 ? Json.object() : Json.parse(body);
            JsonNode answer;
            synchronized (indexes) {
                answer = answer(
                        exchange.getRequestMethod(), exchange.getRequestURI().getPath(), json);
            }
            byte[] bytes = Json.bytes(answer);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.isMissingNode() ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private JsonNode answer(String method, String path, JsonNode body) {
        String[] parts = path.substring(1).split("/", -1);
        Index index = parts.length > 1 ? indexes.get(parts[1]) : null;
        String what = method + " " + parts[0] + (parts.length > 2 ? " " + parts[2] : "") + " " + parts.length;
        return switch (what) {
            case "GET health 1" -> Json.object().put("status", "available");
            case "GET stats 1" -> stats();
            case "GET indexes 1" -> list();
            case "POST indexes 1" -> {
                indexes.put(body.path("uid").asText(), new Index());
                yield done();
            }
            case "GET indexes 2" -> index == null ? Json.object().path("none") : described(parts[1]);
            case "PATCH indexes settings 3" -> {
                index.settings.setAll((ObjectNode) body);
                yield done();
            }
            case "GET indexes settings 3" -> index.settings;
            case "POST indexes documents 3" -> {
                body.forEach(document -> store(index, (ObjectNode) document));
                yield done();
            }
            case "GET indexes documents 4" -> plain(index.documents.get(parts[3]));
            case "POST indexes documents 4" -> counted(index, body);
            case "POST indexes search 3" -> search(index, body);
            default -> Json.object().path("none");
        };
    }

    private static ObjectNode done() {
        return Json.object().put("taskUid", 1).put("status", "succeeded");
    }

    private ObjectNode stats() {
        ObjectNode stats = Json.object();
        ObjectNode all = stats.putObject("indexes");
        indexes.forEach((uid, index) -> all.putObject(uid).put("numberOfDocuments", index.documents.size()));
        return stats;
    }

    private ObjectNode list() {
        ObjectNode list = Json.object();
        ArrayNode results = list.putArray("results");
        indexes.keySet().forEach(uid -> results.add(described(uid)));
        return list.put("offset", 0).put("limit", 200).put("total", indexes.size());
    }

    private static ObjectNode described(String uid) {
        return Json.object()
                .put("uid", uid)
                .put("primaryKey", "number")
                .put("createdAt", "2026-01-01T00:00:00Z")
                .put("updatedAt", "2026-01-01T00:00:00Z");
    }

    private static void store(Index index, ObjectNode document) {
        String id = document.path("number").asText();
        index.documents.put(id, document);
        StringBuilder text = new StringBuilder();
        plain(document).forEach(value -> text.append(value.isTextual() ? value.asText() : "")
                .append(' '));
        index.words.add(id, text.toString());
    }

    private static ObjectNode plain(ObjectNode document) {
        return document.deepCopy().without("_vectors");
    }

    private static ObjectNode search(Index index, JsonNode body) {
        double ratio = body.path("hybrid").path("semanticRatio").asDouble(0);
        Map<String, Double> scores = new HashMap<>();
        Map<String, Double> weighted = new HashMap<>();
        index.words.leadingWords(body.path("q").asText(), WORDS).forEach((id, score) -> {
            scores.put(id, score);
            weighted.put(id, score * (1 - ratio));
        });
        float[] vector = vector(body.path("vector"));
        if (vector.length > 0) {
            index.documents.forEach((id, document) -> {
                double score = (1
                                + WordRanking.cosine(
                                        vector, vector(document.path("_vectors").path("own"))))
                        / 2;
                if (score * ratio > weighted.getOrDefault(id, -1.0)) {
                    scores.put(id, score);
                    weighted.put(id, score * ratio);
                }
            });
        }
        ObjectNode answer = Json.object();
        ArrayNode hits = answer.putArray("hits");
        WordRanking.sorted(weighted).keySet().stream()
                .filter(id -> passes(index.documents.get(id), body.path("filter")))
                .limit(body.path("limit").asInt(20))
                .forEach(id -> hits.add(hit(index.documents.get(id), scores.get(id), body)));
        return answer.put("query", body.path("q").asText())
                .put("processingTimeMs", 1)
                .put("limit", body.path("limit").asInt(20))
                .put("offset", 0)
                .put("estimatedTotalHits", hits.size());
    }

    private static ObjectNode hit(ObjectNode stored, double score, JsonNode body) {
        ObjectNode hit = plain(stored).put("_rankingScore", score);
        if (body.path("retrieveVectors").asBoolean()) {
            hit.putObject("_vectors")
                    .putObject("own")
                    .putArray("embeddings")
                    .add(stored.path("_vectors").path("own"));
        }
        return hit;
    }

    /** What {@code documents/fetch} says with {@code limit} 0. */
    private static ObjectNode counted(Index index, JsonNode body) {
        long total = StreamSupport.stream(body.path("ids").spliterator(), false)
                .map(id -> index.documents.get(id.asText()))
                .filter(document ->
                        document != null && holds(document, body.path("filter").asText()))
                .count();
        ObjectNode answer = Json.object().put("offset", 0).put("limit", 0).put("total", total);
        answer.putArray("results");
        return answer;
    }

    private static boolean passes(ObjectNode document, JsonNode filter) {
        for (JsonNode expression : filter) {
            if (expression.isArray() ? !passesAny(document, expression) : !holds(document, expression.asText())) {
                return false;
            }
        }
        return true;
    }

    private static boolean passesAny(ObjectNode document, JsonNode alternatives) {
        for (JsonNode expression : alternatives) {
            if (holds(document, expression.asText())) {
                return true;
            }
        }
        return false;
    }

    private static boolean holds(ObjectNode document, String expression) {
        Matcher matcher = COMPARISON.matcher(expression);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a filter that the gateway compiles: " + expression);
        }
        JsonNode held = document.path(unescaped(matcher.group(1)));
        return matcher.group(3) != null
                ? held.asText().equalsIgnoreCase(unescaped(matcher.group(3))) && held.isTextual()
                : compare(held, matcher.group(2), matcher.group(4));
    }

    private static String unescaped(String text) {
        return text.replaceAll("\\\\(.)", "$1");
    }

    private static boolean compare(JsonNode held, String operator, String value) {
        if (!held.isNumber()) {
            return operator.equals("=") && held.isBoolean() && held.asText().equals(value);
        }
        int order = held.decimalValue().compareTo(new BigDecimal(value));
        return switch (operator) {
            case "=" -> order == 0;
            case ">=" -> order >= 0;
            case ">" -> order > 0;
            case "<=" -> order <= 0;
            default -> order < 0;
        };
    }

    private static float[] vector(JsonNode numbers) {
        float[] vector = new float[numbers.size()];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) numbers.get(i).asDouble();
        }
        return vector;
    }
}
