package switchboard.backend.weaviate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * A stand-in for Weaviate that answers as the recordings do, over real HTTP, and holds every request against what the
 * gateway is meant to send: whatever it does not expect goes into {@link #unexpected} and fails the test.
 */
final class StubWeaviate implements AutoCloseable {
    private static final String CRASH = "";

    /** A request that came in. */
    record Seen(
            String method,
            String path,
            JsonNode body,
            @Nullable String authorization) {}

    private record Answer(int status, @Nullable String contentType, String body) {
        static Answer json(int status, JsonNode body) {
            return new Answer(status, "application/json", Json.text(body));
        }

        static Answer empty(int status) {
            return new Answer(status, null, "");
        }

        static Answer refused(String message) {
            ObjectNode body = Json.object();
            body.putArray("error").addObject().put("message", message);
            return json(422, body);
        }
    }

    private final Map<String, Recording> recordings = Recording.all();
    private final StubData data =
            new StubData(recording("schema-create-minimal").answer());
    private final StubSearch search = new StubSearch(data);
    private final Map<String, Deque<Recording>> played = new HashMap<>();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final List<String> unexpected = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private volatile int maximumResults = 10_000;

    StubWeaviate() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
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

    /** The requests so far. */
    List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** Requests nobody should have made. */
    List<String> unexpected() {
        return List.copyOf(unexpected);
    }

    /** Forgets the requests so far. */
    void forget() {
        seen.clear();
    }

    /** Forgets what was unexpected so far: for questions that no recording answers. */
    void forgetUnexpected() {
        unexpected.clear();
    }

    /** How it searches. */
    StubSearch searches() {
        return search;
    }

    /** As {@code QUERY_MAXIMUM_RESULTS}. */
    void maximumResults(int most) {
        maximumResults = most;
    }

    /** Answers the next request to the recorded method and path with the recording, and so on in order. */
    void play(String... names) {
        synchronized (played) {
            for (String name : names) {
                Recording recording = recording(name);
                played.computeIfAbsent(recording.method() + " " + recording.path(), _ -> new ArrayDeque<>())
                        .add(recording);
            }
        }
    }

    /** Answers the next {@code methodAndPath} with the recording, whatever request that was of. */
    void playAs(String methodAndPath, String name) {
        synchronized (played) {
            played.computeIfAbsent(methodAndPath, _ -> new ArrayDeque<>()).add(recording(name));
        }
    }

    /** Makes an active tenant. */
    void tenant(String collection, String tenant) {
        synchronized (data) {
            data.tenants(collection).put(tenant, "HOT");
        }
    }

    /** Makes a collection with a {@code title} and objects of these ids. */
    void load(String name, String... ids) {
        synchronized (data) {
            ObjectNode definition = Json.object().put("class", name);
            definition
                    .withArray("properties")
                    .addObject()
                    .put("name", "title")
                    .putArray("dataType")
                    .add("text");
            if (data.create(definition).isPresent()) {
                throw new IllegalStateException(name + " exists");
            }
            for (String id : ids) {
                ObjectNode object = Json.object().put("class", name).put("id", id);
                object.putObject("properties").put("title", "t");
                data.put(object);
            }
        }
    }

    private Recording recording(String name) {
        return Optional.ofNullable(recordings.get(name)).orElseThrow(() -> new IllegalArgumentException(name));
    }

    private void handle(HttpExchange exchange) throws IOException {
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String uri = exchange.getRequestURI().toString();
        Answer answer;
        try {
            JsonNode body = text.isEmpty() ? Json.object().path("none") : Json.parse(text);
            seen.add(new Seen(
                    exchange.getRequestMethod(),
                    uri,
                    body,
                    exchange.getRequestHeaders().getFirst("Authorization")));
            synchronized (data) {
                answer = played(exchange.getRequestMethod(), uri)
                        .or(() -> route(exchange.getRequestMethod(), uri, body))
                        .orElseGet(() -> unexpected(exchange.getRequestMethod() + " " + uri + " " + text));
            }
        } catch (JsonProcessingException | RuntimeException e) {
            answer = unexpected(exchange.getRequestMethod() + " " + uri + " " + text + ": " + e);
        }
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        if (answer.contentType() != null) {
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
        }
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Answer unexpected(String what) {
        unexpected.add(what);
        return Answer.json(418, Json.object().put("code", 418).put("message", "unexpected request"));
    }

    private Optional<Answer> played(String method, String uri) {
        synchronized (played) {
            Deque<Recording> queue = played.getOrDefault(method + " " + uri, new ArrayDeque<>());
            return Optional.ofNullable(queue.poll())
                    .map(recording -> new Answer(
                            recording.status(),
                            recording.contentType(),
                            recording.answer().isMissingNode() ? CRASH : Json.text(recording.answer())));
        }
    }

    private Optional<Answer> route(String method, String uri, JsonNode body) {
        int mark = uri.indexOf('?');
        String[] path = (mark < 0 ? uri : uri.substring(0, mark)).substring(1).split("/", -1);
        Map<String, String> query = query(mark < 0 ? "" : uri.substring(mark + 1));
        String first = path.length > 1 ? path[1] : "";
        return switch (method + " " + first + " " + path.length) {
            case "GET schema 2" -> {
                ObjectNode all = Json.object();
                all.set("classes", data.definitions());
                yield Optional.of(Answer.json(200, all));
            }
            case "POST schema 2" ->
                Optional.of(data.create((ObjectNode) body)
                        .map(Answer::refused)
                        .orElseGet(() -> Answer.json(
                                200,
                                data.definition(body.path("class").asText()).orElseThrow())));
            case "GET schema 3" ->
                Optional.of(data.definition(path[2])
                        .map(definition -> Answer.json(200, definition))
                        .orElseGet(() -> Answer.empty(404)));
            case "DELETE schema 3" -> {
                data.drop(path[2]);
                yield Optional.of(Answer.empty(200));
            }
            case "GET schema 4", "GET schema 5", "POST schema 4" -> tenants(method, path, body);
            case "GET objects 2" -> Optional.of(list(query));
            case "GET objects 4" -> Optional.of(one(path[2], path[3], query));
            case "POST batch 3" -> upsert(body);
            case "DELETE batch 3" -> Optional.of(delete(body, query));
            case "POST graphql 2" -> search.answer(body).map(answer -> Answer.json(200, answer));
            case "GET .well-known 3" -> Optional.of(Answer.empty(200));
            case "GET meta 2" -> Optional.of(Answer.json(200, Json.object().put("version", "1.37.0"))); // how it is
            default -> Optional.empty();
        };
    }

    private static Map<String, String> query(String text) {
        Map<String, String> query = new HashMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    private Optional<Answer> tenants(String method, String[] path, JsonNode body) {
        if (method.equals("POST")) {
            body.forEach(tenant -> data.tenants(path[2])
                    .put(
                            tenant.path("name").asText(),
                            tenant.path("activityStatus").asText("HOT").replace("INACTIVE", "COLD")));
            return Optional.of(Answer.json(200, body));
        }
        String prefix = "failed to execute query: could not get tenants: could not get tenants: ";
        if (data.definition(path[2]).isEmpty()) {
            return Optional.of(Answer.refused(prefix + "class not found"));
        }
        if (!data.multiTenant(path[2])) {
            return Optional.of(Answer.refused(prefix + "multi-tenancy is not enabled for class \""
                    + WeaviateIdentifiers.capitalised(path[2]) + "\""));
        }
        if (path.length == 5) {
            String state = data.tenants(path[2]).get(path[4]);
            return Optional.of(
                    state == null
                            ? Answer.empty(404)
                            : Answer.json(
                                    200,
                                    Json.object().put("activityStatus", state).put("name", path[4])));
        }
        ArrayNode all = Json.array();
        new ArrayList<>(data.tenants(path[2]).entrySet()).reversed().forEach(tenant -> all.addObject()
                .put("activityStatus", tenant.getValue())
                .put("name", tenant.getKey()));
        return Optional.of(Answer.json(200, all));
    }

    private Answer list(Map<String, String> query) {
        String name = query.getOrDefault("class", "");
        if (data.definition(name).isEmpty()) {
            return Answer.empty(404);
        }
        int limit = Integer.parseInt(query.getOrDefault("limit", "10"));
        int offset = Integer.parseInt(query.getOrDefault("offset", "0"));
        if (limit < 0 || offset < 0) {
            return Answer.empty(200);
        }
        if (limit + offset > maximumResults) {
            return Answer.refused("msg:offset or limit code:400 err:query maximum results exceeded: the total limit"
                    + " calculated from the provided offset '" + offset + "' and limit '" + limit
                    + "' exceeds the configured value for QUERY_MAXIMUM_RESULTS '" + maximumResults + "'");
        }
        Optional<String> barrier = data.barrier(name, query.get("tenant"));
        if (barrier.isPresent()) {
            return Answer.refused(
                    "msg:search index " + name.toLowerCase(java.util.Locale.ROOT) + " code:422 err:" + barrier.get());
        }
        String after = query.getOrDefault("after", "");
        ObjectNode page = Json.object();
        page.putArray("deprecations");
        ArrayNode objects = page.putArray("objects");
        data.objects(name, query.get("tenant")).values().stream()
                .filter(object -> object.path("id").asText().compareTo(after) > 0)
                .skip(offset)
                .limit(limit)
                .forEach(object -> objects.add(shown(object, query).without("tenant")));
        if (!objects.isEmpty()) {
            page.put("totalResults", objects.size());
        }
        return Answer.json(200, page);
    }

    private Answer one(String name, String id, Map<String, String> query) {
        Optional<String> barrier =
                data.definition(name).isEmpty() ? Optional.empty() : data.barrier(name, query.get("tenant"));
        if (barrier.isPresent()) {
            return Answer.refused("repo: object by id: search index " + name.toLowerCase(java.util.Locale.ROOT)
                    + ": determine shard: " + barrier.get());
        }
        ObjectNode object = data.objects(name, query.get("tenant")).get(id);
        return object == null ? Answer.empty(404) : Answer.json(200, shown(object, query));
    }

    private static ObjectNode shown(ObjectNode object, Map<String, String> query) {
        ObjectNode shown = object.deepCopy();
        shown.set("properties", StubIntegers.stored(object.path("properties")));
        if (!query.getOrDefault("include", "").equals("vector")) {
            shown.remove(List.of("vector", "vectors"));
        }
        return shown;
    }

    private Optional<Answer> upsert(JsonNode body) {
        ArrayNode entries = Json.array();
        for (JsonNode object : body.path("objects")) {
            if (WeaviateIdentifiers.uuid(object.path("id").asText()).isEmpty()) {
                return Optional.of(Answer.json(
                        422,
                        Json.object()
                                .put("code", 601)
                                .put("message", "body.objects.0.id in body must be of type uuid")));
            }
            if (object.path("class").asText().isEmpty()) {
                return Optional.of(Answer.empty(200));
            }
            entries.add(data.put((ObjectNode) object));
        }
        return Optional.of(Answer.json(200, entries));
    }

    private Answer delete(JsonNode body, Map<String, String> query) {
        JsonNode match = body.path("match");
        String name = match.path("class").asText();
        if (!body.has("dryRun")) {
            throw new IllegalStateException("dryRun left out: that deletes");
        }
        if (data.definition(name).isEmpty()) {
            return Answer.refused("validate: failed to get class: " + name);
        }
        Optional<String> barrier = data.barrier(name, query.get("tenant"));
        if (barrier.isPresent()) {
            return Answer.refused("batch delete objects: cannot find objects: " + barrier.get());
        }
        Optional<String> refusal = StubFilter.refusal(match.path("where"));
        if (refusal.isPresent()) {
            return Answer.refused(
                    "batch delete objects: cannot find objects: find matching doc ids in shard: " + refusal.get());
        }
        Predicate<JsonNode> filter = StubFilter.of(match.path("where"));
        Map<String, ObjectNode> objects = data.objects(name, query.get("tenant"));
        List<String> ids = objects.values().stream()
                .filter(filter)
                .map(object -> object.path("id").asText())
                .toList();
        boolean dry = body.path("dryRun").asBoolean();
        List<String> gone = dry ? List.of() : ids.subList(0, Math.min(ids.size(), maximumResults));
        gone.forEach(objects::remove);
        ObjectNode answer =
                Json.object().put("deletionTimeUnixMilli", -62135596800000L).put("dryRun", dry);
        answer.set("match", match);
        answer.put("output", "minimal");
        answer.putObject("results")
                .put("failed", 0)
                .put("limit", maximumResults)
                .put("matches", ids.size())
                .put("successful", gone.size())
                .putNull("objects");
        return Answer.json(200, answer);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
