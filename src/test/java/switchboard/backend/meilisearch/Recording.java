package switchboard.backend.meilisearch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.Json;

/**
 * One exchange with a real Meilisearch, from {@code backends/meilisearch/fixtures/recordings.jsonl}, or one derived from
 * it.
 *
 * @param name its name
 * @param method the HTTP method
 * @param path path and query as sent
 * @param key the key's name, or {@code rules:} and the search rules of a tenant token
 * @param body the JSON sent, or JSON null
 * @param status the answer's status
 * @param retryAfter its {@code Retry-After}, or empty
 * @param answer its body; empty text for none
 */
record Recording(
        String name,
        String method,
        String path,
        String key,
        JsonNode body,
        int status,
        String retryAfter,
        JsonNode answer) {
    private static final Path FILE = Path.of("backends/meilisearch/fixtures/recordings.jsonl");
    private static final Pattern CLAIMS = Pattern.compile("claims (\\{.*\\})");
    private static final Map<String, Recording> ALL = read();

    /** All of the file, in its order. */
    static Collection<Recording> all() {
        return ALL.values();
    }

    /** The one called {@code name}. */
    static Recording of(String name) {
        Recording found = ALL.get(name);
        if (found == null) {
            throw new AssertionError("no recording " + name);
        }
        return found;
    }

    Recording withKey(String other) {
        return new Recording(name, method, path, other, body, status, retryAfter, answer);
    }

    Recording withPath(String other) {
        return new Recording(name, method, other, key, body, status, retryAfter, answer);
    }

    Recording withBody(String json) {
        return new Recording(name, method, path, key, parse(json), status, retryAfter, answer);
    }

    Recording withAnswer(String json) {
        return new Recording(name, method, path, key, body, status, retryAfter, parse(json));
    }

    /** The same request, answered as {@code other}. */
    Recording failing(Recording other) {
        return new Recording(name, method, path, key, body, other.status(), other.retryAfter(), other.answer());
    }

    /** What tells requests apart: what the engine would make of them, not how they are written. */
    String signature() {
        return signature(method, path, key, body);
    }

    static String signature(String method, String path, String key, JsonNode body) {
        return method + " " + canonicalPath(path) + " " + key + " " + canonical(withDefaults(path, body));
    }

    private static String canonicalPath(String path) {
        int query = path.indexOf('?');
        if (!path.startsWith("/indexes?") && !path.equals("/indexes")) {
            return path;
        }
        Map<String, String> parameters = new TreeMap<>(Map.of("limit", "20", "offset", "0"));
        if (query >= 0) {
            for (String parameter : path.substring(query + 1).split("&")) {
                String[] pair = parameter.split("=", 2);
                parameters.put(pair[0], pair.length > 1 ? pair[1] : "");
            }
        }
        return "/indexes" + parameters;
    }

    private static JsonNode withDefaults(String path, JsonNode body) {
        if (!path.endsWith("/search") || !(body instanceof ObjectNode given)) {
            return body;
        }
        ObjectNode complete = Json.object();
        complete.put("limit", 20).put("offset", 0).put("showRankingScore", false);
        given.properties().forEach(field -> {
            if (!field.getValue().isNull()) {
                complete.set(field.getKey(), field.getValue());
            }
        });
        if (complete.path("hybrid") instanceof ObjectNode hybrid && !hybrid.has("semanticRatio")) {
            complete.set("hybrid", hybrid.deepCopy().put("semanticRatio", 0.5));
        }
        return complete;
    }

    /** JSON with sorted keys and numbers in one form. */
    static String canonical(JsonNode node) {
        if (node.isObject()) {
            Map<String, String> sorted = new TreeMap<>();
            node.properties().forEach(field -> sorted.put(field.getKey(), canonical(field.getValue())));
            return sorted.toString();
        }
        if (node.isArray()) {
            StringBuilder list = new StringBuilder("[");
            node.forEach(element -> list.append(canonical(element)).append(','));
            return list.append(']').toString();
        }
        if (node.isNumber()) {
            return new BigDecimal(node.asText()).stripTrailingZeros().toString();
        }
        return Json.text(node);
    }

    private static Map<String, Recording> read() {
        Map<String, Recording> all = new LinkedHashMap<>();
        try {
            for (String line : Files.readAllLines(FILE)) {
                Recording recording = read(parse(line));
                all.put(recording.name(), recording);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return all;
    }

    private static Recording read(JsonNode exchange) {
        JsonNode request = exchange.path("request");
        JsonNode response = exchange.path("response");
        JsonNode body = request.has("body") ? request.path("body") : NullNode.getInstance();
        String key = request.path("headers").path("Authorization").asText().replaceFirst("^Bearer ", "");
        Matcher claims = CLAIMS.matcher(exchange.path("note").asText());
        if (key.startsWith("test-tenant-token") && claims.find()) {
            key = "rules:" + canonical(parse(claims.group(1)).path("searchRules"));
        }
        return new Recording(
                exchange.path("name").asText(),
                request.path("method").asText(),
                request.path("path").asText(),
                key,
                body,
                response.path("status").asInt(),
                response.path("headers").path("retry-after").asText(),
                response.path("body"));
    }

    private static JsonNode parse(String json) {
        try {
            return Json.parse(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }
}
