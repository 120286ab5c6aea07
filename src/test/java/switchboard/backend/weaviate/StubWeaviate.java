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
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * A stand-in for Weaviate that answers as the recordings do, over real HTTP, and holds every request against what the
 * gateway is meant to send: whatever it does not expect goes into {@link #unexpected} and fails the test.
 */
final class StubWeaviate implements AutoCloseable {
    private static final String CRASH = "";
    private static final List<String> STATUSES = List.of(
            "ACTIVE",
            "INACTIVE",
            "OFFLOADED",
            "OFFLOADING",
            "ONLOADING",
            "HOT",
            "COLD",
            "FROZEN",
            "FREEZING",
            "UNFREEZING");

    /** A request that came in. */
    record Seen(
            String method,
            String path,
            JsonNode body,
            @Nullable String authorization,
            @Nullable String contentType) {}

    private final Map<String, Recording> recordings = Recording.all();
    private final StubData data =
            new StubData(recording("schema-create-minimal").answer());
    private final StubSearch search = new StubSearch(data);
    private final StubDeletion deletion = new StubDeletion(data);
    private final StubRights rights = new StubRights();
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

    /** Who may do what. */
    StubRights rights() {
        return rights;
    }

    /** As {@code AUTOSCHEMA_ENABLED=false}. */
    void withoutAutoSchema() {
        synchronized (data) {
            data.autoSchema(false);
        }
    }

    /** How it searches. */
    StubSearch searches() {
        return search;
    }

    /** As {@code QUERY_MAXIMUM_RESULTS}. */
    void maximumResults(int most) {
        maximumResults = most;
        search.maximumResults(most);
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
        StubAnswer answer;
        try {
            JsonNode body = text.isEmpty() ? Json.object().path("none") : Json.parse(text);
            Seen request = new Seen(
                    exchange.getRequestMethod(),
                    uri,
                    body,
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    exchange.getRequestHeaders().getFirst("Content-Type"));
            seen.add(request);
            synchronized (data) {
                answer = played(request.method(), uri)
                        .or(() -> rights.refuse(request.method(), uri, body, request.authorization()))
                        .or(() -> route(request))
                        .orElseGet(() -> unexpected(request.method() + " " + uri + " " + text));
            }
        } catch (JsonProcessingException e) {
            unexpected.add(exchange.getRequestMethod() + " " + uri + " " + text);
            answer = StubAnswer.unparsed("unexpected EOF");
        } catch (RuntimeException e) {
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

    private StubAnswer unexpected(String what) {
        unexpected.add(what);
        return StubAnswer.json(418, Json.object().put("code", 418).put("message", "unexpected request"));
    }

    private Optional<StubAnswer> played(String method, String uri) {
        synchronized (played) {
            Deque<Recording> queue = played.getOrDefault(method + " " + uri, new ArrayDeque<>());
            return Optional.ofNullable(queue.poll())
                    .map(recording -> new StubAnswer(
                            recording.status(),
                            recording.contentType(),
                            recording.answer().isMissingNode() ? CRASH : Json.text(recording.answer())));
        }
    }

    private Optional<StubAnswer> route(Seen request) {
        String uri = request.path();
        JsonNode body = request.body();
        int mark = uri.indexOf('?');
        String[] path = (mark < 0 ? uri : uri.substring(0, mark)).substring(1).split("/", -1);
        Map<String, String> query = query(mark < 0 ? "" : uri.substring(mark + 1));
        String first = path.length > 1 ? path[1] : "";
        return switch (request.method() + " " + first + " " + path.length) {
            case "GET schema 2" -> {
                ObjectNode all = Json.object();
                all.set(
                        "classes",
                        rights.visible(data.definitions(), "class", "read_collections", request.authorization()));
                yield Optional.of(StubAnswer.json(200, all));
            }
            case "POST schema 2" ->
                Optional.of(created(request)
                        .orElseGet(() -> StubAnswer.json(
                                200,
                                data.definition(body.path("class").asText()).orElseThrow())));
            case "GET schema 3" ->
                Optional.of(data.definition(path[2])
                        .map(definition -> StubAnswer.json(200, definition))
                        .orElseGet(() -> StubAnswer.empty(404)));
            case "DELETE schema 3" -> {
                data.drop(path[2]);
                yield Optional.of(StubAnswer.empty(200));
            }
            case "GET schema 4", "GET schema 5", "POST schema 4" -> tenants(request, path);
            case "GET objects 2" -> Optional.of(list(query));
            case "GET objects 4" -> Optional.of(one(path[2], path[3], query));
            case "POST batch 3" -> Optional.of(upsert(body, query));
            case "DELETE batch 3" -> Optional.of(deletion(body, query));
            case "POST graphql 2" -> search.answer(body).map(answer -> StubAnswer.json(200, answer));
            case "GET .well-known 3" -> Optional.of(StubAnswer.empty(path[2].startsWith("openid") ? 404 : 200));
            case "GET meta 2" -> Optional.of(StubAnswer.json(200, Json.object().put("version", "1.37.0"))); // how it is
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

    /** Creates a collection; the answer if it is refused. */
    private Optional<StubAnswer> created(Seen request) {
        if ("text/plain".equals(request.contentType())) {
            unexpected.add("text/plain");
            return Optional.of(StubAnswer.malformed(
                    415,
                    415,
                    "unsupported media type \"text/plain\", only [application/json application/yaml] are allowed"));
        }
        return StubSchemaRules.refuse(request.body())
                .or(() -> data.create((ObjectNode) request.body()).map(StubAnswer::refused));
    }

    private Optional<StubAnswer> tenants(Seen request, String[] path) {
        if (request.method().equals("POST")) {
            return Optional.of(newTenants(path[2], request.body()));
        }
        String prefix = "failed to execute query: could not get tenants: could not get tenants: ";
        if (data.definition(path[2]).isEmpty()) {
            return Optional.of(StubAnswer.refused(prefix + "class not found"));
        }
        if (!data.multiTenant(path[2])) {
            return Optional.of(StubAnswer.refused(
                    prefix + "multi-tenancy is not enabled for class \"" + capitalised(path[2]) + "\""));
        }
        if (path.length == 5) {
            String state = data.tenants(path[2]).get(path[4]);
            return Optional.of(
                    state == null
                            ? StubAnswer.empty(404)
                            : StubAnswer.json(
                                    200,
                                    Json.object().put("activityStatus", state).put("name", path[4])));
        }
        ArrayNode all = Json.array();
        new ArrayList<>(data.tenants(path[2]).entrySet()).reversed().forEach(tenant -> all.addObject()
                .put("activityStatus", tenant.getValue())
                .put("name", tenant.getKey()));
        return Optional.of(StubAnswer.json(
                200, rights.visible(all, "name", "read_tenants " + capitalised(path[2]), request.authorization())));
    }

    private StubAnswer newTenants(String collection, JsonNode tenants) {
        ArrayNode made = Json.array();
        int index = 0;
        for (JsonNode tenant : tenants) {
            String name = tenant.path("name").asText();
            String status = tenant.path("activityStatus").asText("HOT");
            if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
                return StubAnswer.refused("tenant name at index " + index + ":  '" + name
                        + "' is not a valid tenant name. should only contain alphanumeric characters (a-z, A-Z, 0-9),"
                        + " underscore (_), and hyphen (-), with a length between 1 and 64 characters");
            }
            if (!STATUSES.contains(status)) {
                return StubAnswer.malformed(
                        422, 606, "activityStatus in body should be one of [" + String.join(" ", STATUSES) + "]");
            }
            String kept = status.replace("INACTIVE", "COLD").replaceFirst("^ACTIVE", "HOT");
            ObjectNode entry = made.addObject().put("name", name);
            if (tenant.has("activityStatus")) {
                entry.put("activityStatus", kept);
            }
            index++;
        }
        made.forEach(tenant -> data.tenants(collection)
                .put(tenant.path("name").asText(), tenant.path("activityStatus").asText("HOT")));
        return StubAnswer.json(200, made);
    }

    private StubAnswer list(Map<String, String> query) {
        if (query.getOrDefault("class", "").isEmpty() || query.containsKey("sort")) {
            unexpected.add("a list of all collections, or a sorted one");
        }
        String name = query.getOrDefault("class", "");
        if (data.definition(name).isEmpty()) {
            return StubAnswer.empty(404);
        }
        Optional<StubAnswer> wrong = listing(name, query);
        if (wrong.isPresent()) {
            return wrong.get();
        }
        int limit = Integer.parseInt(query.getOrDefault("limit", "10"));
        int offset = Integer.parseInt(query.getOrDefault("offset", "0"));
        if (limit < 0 || offset < 0) {
            return StubAnswer.empty(200);
        }
        if (limit + offset > maximumResults) {
            return StubAnswer.refused("msg:offset or limit code:400 err:query maximum results exceeded: the total limit"
                    + " calculated from the provided offset '" + offset + "' and limit '" + limit
                    + "' exceeds the configured value for QUERY_MAXIMUM_RESULTS '" + maximumResults + "'");
        }
        Optional<String> barrier = data.barrier(name, query.get("tenant"));
        if (barrier.isPresent()) {
            return StubAnswer.refused(
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
        return StubAnswer.json(200, page);
    }

    /** What is wrong with the parameters of a list. */
    private Optional<StubAnswer> listing(String name, Map<String, String> query) {
        String after = query.getOrDefault("after", "");
        String cursor = "msg:cursor api: invalid 'after' parameter code:400 err:";
        if (query.getOrDefault("include", "vector").equals("nope")) {
            return Optional.of(StubAnswer.refused(400, "unrecognized property 'nope' in ?include list"));
        }
        if (!query.getOrDefault("limit", "1").matches("-?\\d+")) {
            unexpected.add("limit " + query.get("limit"));
            return Optional.of(StubAnswer.malformed(
                    422, 601, "limit in query must be of type int64: \"" + query.get("limit") + "\""));
        }
        if (!after.isEmpty() && !query.containsKey("limit")) {
            return Optional.of(StubAnswer.refused(cursor + "limit parameter must be set"));
        }
        if (!after.isEmpty() && query.containsKey("offset")) {
            return Optional.of(StubAnswer.refused(cursor + "offset cannot be set with after and limit parameters"));
        }
        if (!after.isEmpty() && WeaviateIdentifiers.uuid(after).isEmpty()) {
            return Optional.of(StubAnswer.refused(cursor + "after parameter '" + after
                    + "' is not a valid uuid: invalid UUID length: " + after.length()));
        }
        return data.hasProperty(name, query.getOrDefault("sort", ""))
                ? Optional.empty()
                : Optional.of(
                        StubAnswer.refused(
                                "msg:sorting code:400 err:sort parameter at position 0: no such prop with"
                                        + " name '" + query.get("sort") + "' found in class '" + capitalised(name)
                                        + "' in the schema. Check your schema files for which properties in this class are available"));
    }

    private StubAnswer one(String name, String id, Map<String, String> query) {
        if (WeaviateIdentifiers.uuid(id).isEmpty()) {
            return StubAnswer.malformed(422, 601, "id in path must be of type uuid: \"" + id + "\"");
        }
        Optional<String> barrier =
                data.definition(name).isEmpty() ? Optional.empty() : data.barrier(name, query.get("tenant"));
        if (barrier.isPresent()) {
            return StubAnswer.refused("repo: object by id: search index " + name.toLowerCase(java.util.Locale.ROOT)
                    + ": determine shard: " + barrier.get());
        }
        ObjectNode object = data.objects(name, query.get("tenant")).get(id);
        return object == null ? StubAnswer.empty(404) : StubAnswer.json(200, shown(object, query));
    }

    private static ObjectNode shown(ObjectNode object, Map<String, String> query) {
        ObjectNode shown = object.deepCopy();
        shown.set("properties", StubIntegers.stored(object.path("properties")));
        shown.path("properties").forEach(property -> property.forEach(StubWeaviate::linked));
        if (!query.getOrDefault("include", "").equals("vector")) {
            shown.remove(List.of("vector", "vectors"));
        }
        return shown;
    }

    private StubAnswer deletion(JsonNode body, Map<String, String> query) {
        if (body.isObject() && !body.has("dryRun")) {
            unexpected.add("dryRun left out: that deletes");
        }
        return deletion.answer(body, query, maximumResults);
    }

    /** A cross-reference with the address that Weaviate adds. */
    private static void linked(JsonNode element) {
        if (element instanceof ObjectNode reference && reference.has("beacon")) {
            reference.put(
                    "href",
                    reference
                            .path("beacon")
                            .asText()
                            .replace("weaviate://localhost/", "http://127.0.0.1:8090/v1/objects/"));
        }
    }

    private static String capitalised(String collection) {
        return WeaviateIdentifiers.capitalised(collection);
    }

    private StubAnswer upsert(JsonNode body, Map<String, String> query) {
        Optional<StubAnswer> refused = StubDeletion.consistency(query);
        if (refused.isPresent()) {
            return refused.get();
        }
        if (body.path("objects").isEmpty()) {
            return StubAnswer.refused(
                    "invalid param 'objects': cannot be empty, need at least one object for batching");
        }
        ArrayNode entries = Json.array();
        int index = 0;
        for (JsonNode object : body.path("objects")) {
            String id = object.path("id").asText();
            if (object.path("vector").path(0).isTextual()) {
                return StubAnswer.unparsed(
                        "json: cannot unmarshal string into Go struct field Object.objects.vector of type float32");
            }
            if (!id.isEmpty() && WeaviateIdentifiers.uuid(id).isEmpty()) {
                return StubAnswer.malformed(
                        422, 601, "body.objects." + index + ".id in body must be of type uuid: \"" + id + "\"");
            }
            if (object.path("class").asText().isEmpty()) {
                return StubAnswer.empty(200);
            }
            index++;
        }
        body.path("objects").forEach(object -> entries.add(data.put((ObjectNode) object)));
        return StubAnswer.json(200, entries);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
