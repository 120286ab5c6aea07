package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import switchboard.auth.ApiKey;
import switchboard.testing.Programs;

/** The gateway as it is packaged, started by its launcher with the flags that are shipped. */
final class Ours implements Contender {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** How many instances of one type make up more than 500 tools. */
    private static final int INSTANCES = 72;

    private final String name;
    private final Server server;
    private final Map<String, String> credential;
    private final String session;

    private Ours(String name, Server server, Map<String, String> credential, String session) {
        this.name = name;
        this.server = server;
        this.credential = credential;
        this.session = session;
    }

    /**
     * Starts one.
     *
     * @param home the unpacked distribution
     * @param works what it will be asked
     * @param safe whether keys and audit are on
     */
    static Ours start(
            String name, Path home, boolean safe, Set<Work> works, @Nullable Database database, Path folder)
            throws IOException, InterruptedException {
        Path data = Files.createDirectories(folder.resolve(name));
        ApiKey key = ApiKey.generate(new SecureRandom());
        Files.writeString(data.resolve("switchboard.yaml"), config(safe, works, database));
        Files.writeString(data.resolve("teams.yaml"), teams(key));
        int port = Programs.freePort();
        Server server = Server.start(
                name,
                List.of(
                        home.resolve("switchboard").toString(),
                        "serve",
                        "--config=" + data.resolve("switchboard.yaml"),
                        "--data=" + data,
                        "--port=" + port,
                        "--management-port=0"),
                port,
                data.resolve("log"));
        Map<String, String> credential = safe ? Map.of("Authorization", "Bearer " + key.text()) : Map.of();
        return new Ours(name, server, credential, session(server.port(), credential));
    }

    /** A session of the tools that remember something for the caller: what {@link Work#W2} works on. */
    private static String session(int port, Map<String, String> credential) throws IOException, InterruptedException {
        Question start = Question.call("/mcp", "session_start", JSON.createObjectNode(), "session_id");
        try (HttpClient http = HttpClient.newHttpClient()) {
            Target target = Era.MODERN.request(http, URI.create("http://127.0.0.1:" + port + "/mcp"), credential, start);
            JsonNode answer = JSON.readTree(target.verify(http));
            return answer.at("/result/structuredContent/session_id").asText();
        }
    }

    private static String config(boolean safe, Set<Work> works, @Nullable Database database) throws IOException {
        List<String> yaml = new ArrayList<>(List.of(
                "auth: {mode: " + (safe ? "keys" : "none") + "}",
                "audit: {to: " + (safe ? "file" : "none") + "}",
                "backends:",
                "  vectordb: {type: vectordb}",
                "  agentroot: {type: agentroot}",
                "  meilisearch: {type: meilisearch, url: \"http://127.0.0.1:9\"}",
                "  weaviate: {type: weaviate, url: \"http://127.0.0.1:9\", writes: true, logs: {enabled: true}}",
                postgres(database)));
        IntStream.range(0, works.contains(Work.W1_500) ? INSTANCES : 0)
                .mapToObj(i -> "  more%d: {type: weaviate, url: \"http://127.0.0.1:9\", writes: true}".formatted(i))
                .forEach(yaml::add);
        yaml.add("views:");
        for (Work work : works) {
            if (work.listed().isPresent()) {
                int count = work.listed().get();
                yaml.add("  %s: {backends: [%s], tools: [%s]%s}"
                        .formatted(
                                view(work),
                                backends(count),
                                String.join(", ", tools(count)),
                                // Two of the five servers had a tool of that name.
                                count == Work.TOOLS ? ", rename: {vectordb__search: vectordb_search}" : ""));
            }
        }
        return String.join("\n", yaml) + "\n";
    }

    private static String postgres(@Nullable Database database) {
        return """
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %s, database: %s, user: %s}
                    queries:
                      get_item:
                        sql: %s
                        description: "The item of that id, with its price and how many there are."
                        parameters: {id: {type: integer, description: "The item's id."}}
                      nearest_passages:
                        sql: %s
                        description: "The ten passages nearest to a vector."
                        verb: search
                        parameters: {vector: {description: "The vector, as pgvector writes it.", maxLength: 10000}}
                """.indent(0).formatted(
                        database == null ? 9 : database.port(),
                        database == null ? "none" : database.name(),
                        database == null ? "none" : database.user(),
                        '"' + Tables.POINT_READ.replace("$1", ":id") + '"',
                        '"' + Tables.NEAREST.replace("$1::vector", "CAST(:vector AS vector)") + '"');
    }

    private static String backends(int count) {
        return count > Work.TOOLS
                ? String.join(", ", IntStream.range(0, INSTANCES).mapToObj(i -> "more" + i).toList())
                : "vectordb, agentroot, meilisearch, weaviate, postgres";
    }

    /** As {@code <backend>__<tool>}. */
    private static List<String> tools(int count) throws IOException {
        List<String> all = new ArrayList<>();
        if (count > Work.TOOLS) {
            for (int i = 0; i < INSTANCES; i++) {
                String instance = "more" + i;
                names("weaviate").stream()
                        .filter(tool -> !tool.equals("weaviate-logs-fetch"))
                        .map(tool -> instance + "__" + tool)
                        .forEach(all::add);
            }
            return all.subList(0, count);
        }
        for (String type : List.of("agentroot", "meilisearch", "postgres", "vectordb", "weaviate")) {
            names(type).stream()
                    .filter(tool -> !tool.equals("ingest_text")) // ours; the five servers had 53
                    .map(tool -> type + "__" + tool)
                    .forEach(all::add);
        }
        return all.subList(0, count);
    }

    private static List<String> names(String type) throws IOException {
        Path file = Path.of(System.getProperty("switchboard.home"), "backends", type, "tools.json");
        List<String> names = new ArrayList<>();
        JSON.readTree(file.toFile()).path("tools").forEach(tool -> names.add(tool.path("name").asText()));
        return names;
    }

    private static String teams(ApiKey key) {
        return """
                teams:
                  bench:
                    keys: [{id: bench, sha256: %s}]
                    grants: ["*:*"]
                    limits: {callsPerSecond: 100000, concurrentCalls: 10000, callsPerDay: 1000000000}
                """.formatted(key.sha256());
    }

    private static String view(Work work) {
        return work.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Server server() {
        return server;
    }

    @Override
    public Map<String, String> credential() {
        return credential;
    }

    @Override
    public Optional<Question> question(Work work) {
        ObjectNode arguments = JSON.createObjectNode();
        return Optional.of(
                switch (work) {
                    case W1_1, W1 -> Question.list("/mcp/" + view(work), "\"inputSchema\"");
                    case W1_500 -> Question.list("/mcp/" + view(work), "\"nextCursor\"");
                    case W2 ->
                        Question.call(
                                "/mcp",
                                "session_set",
                                arguments.put("session_id", session).put("key", "topic").put("value", "hello"),
                                "hello");
                    case W3 -> Question.call("/mcp/postgres", "get_item", arguments.put("id", 42), "item number 42");
                    case W4 ->
                        Question.call(
                                "/mcp/postgres",
                                "nearest_passages",
                                arguments.put("vector", Tables.query()),
                                "passage number");
                    case W4_SEMANTIC ->
                        Question.call(
                                "/mcp/postgres",
                                "semantic_search",
                                arguments
                                        .put("text_query", "a passage about nothing")
                                        .put("table_name", "passages")
                                        .put("vector_column", "embedding")
                                        .put("top_k", 10),
                                "passage number");
                });
    }
}
