package switchboard.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.TestIssuer;
import switchboard.testing.ToolResult;

/** A gateway with all backends, whose people have tokens with claims; with hidden documents, or its twin that never had them. */
final class HiddenGateway implements AutoCloseable {
    private static final String AUDIENCE = "https://matrix.example/mcp";
    private static final List<String> READERS = List.of("group:hr");

    private final TestIssuer issuer;
    private final ApiKey feeder;
    private final HiddenEngines engines;
    private final HiddenServers servers;
    private final TestGateway gateway;
    private final Path files;
    /** What hidden documents are called, for calls that name them. */
    private final Map<String, String> names = new TreeMap<>();

    HiddenGateway(Path folder, TestIssuer issuer, ApiKey feeder, HiddenEngines engines, boolean hidden)
            throws IOException {
        this.issuer = issuer;
        this.feeder = feeder;
        this.engines = engines;
        this.servers = new HiddenServers(folder, issuer, feeder, hidden);
        this.files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  people:
                    grants: ["*:*"]
                    bindings:
                      vectordb: {groups: "{list:groups}"}
                      agentroot: {groups: "{list:groups}"}
                      weaviate: {where: '{"operator": "Equal", "path": ["dept"], "valueText": "{list:groups}"}'}
                      rooms: {tenant: "{claim:dept}"}
                      meilisearch: {filter: '"dept" = {claim:dept}'}
                      opensearch: {filter: '{"terms": {"dept": "{list:groups}"}}'}
                      settings: {app.groups: "{list:groups}"}
                      roles: {role: "{claim:dept}"}
                  feeders:
                    keys: [{id: feed, sha256: %s}]
                    grants: ["*:*"]
                    bindings: {vectordb: {documents: all}, agentroot: {documents: all}}
                """.formatted(feeder.sha256()));
        gateway = TestGateway.start(
                """
                server: {publicUrl: "%s"}
                auth:
                  mode: keys
                  tokens:
                    issuers: {corporate: {issuer: "%s", jwks: "%s", team: people, carry: [groups, dept]}}
                embedders: {default: {provider: none}}
                audit: {to: none}
                insight: {teams: {people: {log: false, watches: {}}}}
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot, roots: ['%s']}
                """.formatted(AUDIENCE, issuer.identifier(), issuer.jwksUrl(), files)
                        + engines.yaml()
                        + servers.backends()
                        + servers.sources(),
                folder);
        try {
            Eventually.that(
                    () -> client(Map.of(), true).toolNames().contains("inner__search"),
                    () -> "its tools were never listed");
            fill(hidden);
        } catch (IOException | RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    /** The names of what is hidden. */
    List<String> secrets() {
        List<String> secrets = new ArrayList<>(names.values());
        secrets.addAll(HiddenEngines.SECRETS);
        return secrets;
    }

    private void fill(boolean hidden) throws IOException {
        McpTestClient feed = gateway.modern().with("X-API-Key", feeder.text());
        if (hidden) {
            ObjectNode secret = Json.object()
                    .put("source", "payroll")
                    .put("title", "Kanari payroll")
                    .put("content", "# Kanari payroll\n\n" + HiddenEngines.HIDDEN_TEXT);
            secret.putObject("metadata").put("payband", "kanari nine");
            READERS.forEach(secret.putArray("allow")::add);
            names.put("%DOC%", ok(feed, "ingest_text", secret).path("doc_id").asText());
            ok(feed, "ingest_text", secret.deepCopy().put("library", "board"));
        }
        ok(feed, "ingest_text", Json.object().put("source", "handbook").put("content", HiddenEngines.OPEN_TEXT));
        collection(feed, "open", "handbook.md", "# Handbook\n\n" + HiddenEngines.OPEN_TEXT, List.of());
        if (hidden) {
            names.put("%INNER%", servers.document());
            collection(feed, "secret", "payroll.md", "# Kanari payroll\n\n" + HiddenEngines.HIDDEN_TEXT, READERS);
            names.put(
                    "%DOCID%",
                    ok(feed, "get", Json.object().put("file", "secret/payroll.md"))
                            .path("docid")
                            .asText());
            ObjectNode band = Json.object().put("docid", "secret/payroll.md");
            band.putObject("metadata").put("payband", "kanari nine");
            ok(feed, "metadata_add", band);
            names.put(
                    "%CHUNK%",
                    ok(feed, "search_chunks", Json.object().put("query", HiddenEngines.CANARY))
                            .path("results")
                            .path(0)
                            .path("chunk_hash")
                            .asText());
        }
    }

    /** The one place that says how agentroot hides: by {@code allow} of the collection. */
    private void collection(McpTestClient feed, String name, String file, String text, List<String> readers)
            throws IOException {
        Path folder = Files.createDirectories(files.resolve(name));
        Files.writeString(folder.resolve(file), text);
        ObjectNode added = Json.object().put("name", name).put("path", folder.toString());
        if (!readers.isEmpty()) {
            readers.forEach(added.putArray("allow")::add);
        }
        ok(feed, "collection_add", added);
        ok(feed, "collection_update", Json.object().put("name", name));
    }

    private static JsonNode ok(McpTestClient client, String tool, ObjectNode arguments) {
        ToolResult result = client.call(tool, arguments);
        if (result.isError()) {
            throw new AssertionError(tool + ": " + result);
        }
        return result.structured();
    }

    /** {@code arguments} for this gateway, with the names of the documents that {@code of} hides. */
    String named(String arguments, HiddenGateway of) {
        String text = arguments;
        for (Map.Entry<String, String> name : of.names.entrySet()) {
            text = text.replace(name.getKey(), name.getValue());
        }
        return engines.named(text.replace("%FILES%", files.toString()));
    }

    /** A client whose token has these claims. */
    McpTestClient client(Map<String, Object> claims, boolean modern) {
        Map<String, Object> all = issuer.claims(AUDIENCE, "ada", Instant.now());
        all.putAll(claims);
        String bearer = "Bearer " + issuer.sign(all);
        return modern
                ? gateway.modern().with("Authorization", bearer)
                : McpTestClient.legacy(gateway.url(), McpTestClient.LEGACY, Map.of("Authorization", bearer));
    }

    /** Without ids, times and durations, and names of engines, which differ between two gateways. */
    String steady(String answer) {
        return engines.plain(servers.plain(answer).replace(files.toString(), "%FILES%"))
                .replaceAll("(?<!-8007-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-(?!8007)[0-9a-f]{4}-[0-9a-f]{12}", "ID")
                .replaceAll("\"id\":\\d+", "\"id\":N")
                .replaceAll("20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+(Z|\\+00:00)", "TIME")
                .replaceAll(
                        "(\"(?:ms|tookMs|took|processingTimeMs|lastUpdateTimeUnix|modified|creationTimeUnix)\\\\?\":)[0-9]+",
                        "$1N");
    }

    @Override
    public void close() {
        gateway.close();
        servers.close();
        engines.close();
    }
}
