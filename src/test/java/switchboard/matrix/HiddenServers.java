package switchboard.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.TestIssuer;
import switchboard.testing.ToolResult;

/**
 * Servers that a gateway asks as its caller, and that decide themselves what that one may read: another gateway, and a search over
 * HTTP. Tokens for them come from the issuer's {@code /token}.
 */
final class HiddenServers implements AutoCloseable {
    private static final String INNER = "https://inner.matrix.example";
    private static final String WEB = "https://web.matrix.example/";

    private final TestIssuer issuer;
    private final boolean hidden;
    private final Path secret;
    private final HttpServer web;
    private final TestGateway inner;
    /** The id of the hidden document of the other gateway; none if nothing is hidden. */
    private String document = "none";

    HiddenServers(Path folder, TestIssuer issuer, ApiKey feeder, boolean hidden) throws IOException {
        this.issuer = issuer;
        this.hidden = hidden;
        this.secret = Files.writeString(folder.resolve("client-secret"), "secret-of-the-client");
        Path data = Files.createDirectories(folder.resolve("inner"));
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  people:
                    grants: ["*:*"]
                    bindings: {papers: {groups: "{list:groups}"}}
                  feeders:
                    keys: [{id: feed, sha256: %s}]
                    grants: ["*:*"]
                    bindings: {papers: {documents: all}}
                """.formatted(feeder.sha256()));
        web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        web.createContext("/", this::answer);
        web.start();
        inner = TestGateway.start("""
                server: {publicUrl: "%s"}
                auth:
                  mode: keys
                  tokens:
                    issuers: {corporate: {issuer: "%s", jwks: "%s", team: people, carry: [groups]}}
                embedders: {default: {provider: none}}
                audit: {to: none}
                backends: {papers: {type: vectordb}}
                """.formatted(INNER, issuer.identifier(), issuer.jwksUrl()), data);
        fill(inner.modern().with("X-API-Key", feeder.text()));
    }

    private void fill(McpTestClient feed) {
        if (hidden) {
            ObjectNode secrets = Json.object()
                    .put("source", "payroll")
                    .put("title", "Kanari payroll")
                    .put("content", HiddenEngines.HIDDEN_TEXT);
            secrets.putArray("allow").add("group:hr");
            document = ingest(feed, secrets).path("doc_id").asText();
        }
        ingest(feed, Json.object().put("source", "handbook").put("content", HiddenEngines.OPEN_TEXT));
    }

    private static JsonNode ingest(McpTestClient feed, ObjectNode document) {
        ToolResult result = feed.call("papers__ingest_text", document);
        if (result.isError()) {
            throw new AssertionError(result.toString());
        }
        return result.structured();
    }

    /** Hits, or a page, for whoever the token is for. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String bearer = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            JsonNode claims = Json.parse(Base64.getUrlDecoder().decode(bearer.split("\\.")[1]));
            boolean member = hidden
                    && claims.path("groups").valueStream().anyMatch(group -> group.asText()
                            .equals("hr"));
            ObjectNode open = page("1", "open", HiddenEngines.OPEN_TEXT);
            ObjectNode closed = page("2", "kanari payroll", HiddenEngines.HIDDEN_TEXT);
            String path = exchange.getRequestURI().getPath();
            ObjectNode reply = path.equals("/doc/1") ? open : closed;
            boolean found = path.equals("/doc/1") || member;
            if (path.equals("/find")) {
                reply = Json.object();
                ArrayNode hits = reply.putArray("hits").add(open);
                if (member) {
                    hits.add(closed);
                }
                found = true;
            }
            byte[] body = (found ? Json.text(reply) : "{}").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(found ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static ObjectNode page(String id, String title, String text) {
        return Json.object().put("id", id).put("title", title).put("text", text);
    }

    /** The backends of a gateway in front of them, without {@code search.sources}. */
    String backends() {
        String oauth =
                "oauth: {as: caller, tokenUrl: \"%s/token\", clientId: gateway, clientSecret: \"${file:%s}\", audience: \"%s\"}";
        return """
                  inner: {type: mcp, url: "%s", %s}
                  web:
                    type: http
                    url: "http://127.0.0.1:%d"
                    %s
                    sources:
                      pages:
                        search: {path: "/find?q={query}"}
                        results: {list: /hits, id: /id, text: /text, title: /title}
                        document: {request: {path: "/doc/{id}"}}
                """.formatted(
                        inner.url("papers"),
                        oauth.formatted(issuer.identifier(), secret, INNER),
                        web.getAddress().getPort(),
                        oauth.formatted(issuer.identifier(), secret, WEB));
    }

    /** The source that the other gateway's search is. */
    String sources() {
        return """
                search:
                  sources:
                    "inner:pages":
                      tool: {name: search, limit: top_k, results: /results, id: /doc_id}
                      document: {tool: get_document, argument: doc_id}
                """;
    }

    /** The id of the hidden document of the other gateway. */
    String document() {
        return document;
    }

    /** {@code answer} without addresses, which differ between two gateways. */
    String plain(String answer) {
        return answer.replace(inner.url("papers").toString(), "%INNER%")
                .replace("127.0.0.1:" + web.getAddress().getPort(), "%WEB%");
    }

    @Override
    public void close() {
        inner.close();
        web.stop(0);
    }
}
