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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.auth.ApiKey;
import switchboard.testing.Programs;

/** The gateway as it is packaged, started by its launcher with the flags that are shipped. */
final class Ours implements Contender {
    private static final ObjectMapper JSON = new ObjectMapper();

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
     * What all gateways of a run have in common.
     *
     * @param works what they will be asked
     * @param hung an engine that does not answer
     * @param folder for their files
     */
    record Setting(Set<Work> works, @Nullable Database database, URI hung, Path folder) {}

    /**
     * Starts one.
     *
     * @param home the unpacked distribution
     * @param safe whether keys and audit are on
     */
    static Ours start(String name, Path home, boolean safe, Setting setting) throws IOException, InterruptedException {
        Path data = Files.createDirectories(setting.folder().resolve(name));
        ApiKey key = ApiKey.generate(new SecureRandom());
        Files.writeString(data.resolve("switchboard.yaml"), GatewayFile.text(safe, setting));
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
    static String session(int port, Map<String, String> credential) throws IOException, InterruptedException {
        Question start = Question.call("/mcp", "session_start", JSON.createObjectNode(), "session_id");
        try (HttpClient http = HttpClient.newHttpClient()) {
            Target target = Era.modern(URI.create("http://127.0.0.1:" + port + "/mcp"), credential, start);
            JsonNode answer = JSON.readTree(target.verify(http));
            return answer.at("/result/structuredContent/session_id").asText();
        }
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
    public boolean modern() {
        return true;
    }

    @Override
    public Optional<Question> question(Work work) {
        ObjectNode arguments = JSON.createObjectNode();
        return Optional.of(
                switch (work) {
                    case W1_1, W1 -> Question.list("/mcp/" + GatewayFile.view(work), "\"inputSchema\"");
                    case W1_500 -> Question.list("/mcp/" + GatewayFile.view(work), "\"nextCursor\"");
                    case W2, W7 ->
                        Question.call(
                                        "/mcp",
                                        "session_set",
                                        arguments
                                                .put("session_id", session)
                                                .put("key", "topic")
                                                .put("value", "hello"),
                                        "hello")
                                .times(work.calls());
                    case W3 -> Question.call("/mcp/postgres", "get_item", arguments.put("id", 42), "item number 42");
                    case W4, W5 ->
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
