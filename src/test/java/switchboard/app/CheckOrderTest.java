package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;

/** The order in which a request is checked: of two errors the first one is answered, and the pages give the same order. */
class CheckOrderTest {
    private final ApiKey key = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  team:
                    keys: [{id: k1, sha256: %s}]
                    grants: ["vectordb:*"]
                    limits: {callsPerSecond: 1000}
                """.formatted(key.sha256()));
        gateway = TestGateway.start("""
                server: {maxBodySize: 32KiB}
                auth: {mode: keys, failuresPerMinute: 100000}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """, folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    /** What is sent, a part each. */
    private static final class Parts {
        private String host;
        private String origin = "";
        private String query = "";
        private String credential;
        private String view = "vectordb";
        private String method = "POST";
        private String type = "application/json";
        private String padding = "";
        private String start = "{";
        private boolean batch;
        private String capabilities = "{}";
        private String version = "2026-07-28";
        private String header = "tools/list";
        private String rpcMethod = "tools/list";

        Parts(String host, String credential) {
            this.host = host;
            this.credential = credential;
        }

        String text() {
            String message =
                    start + "\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + rpcMethod + "\",\"params\":{\"_meta\":{"
                            + "\"io.modelcontextprotocol/protocolVersion\":\"" + version
                            + "\",\"io.modelcontextprotocol/clientCapabilities\":" + capabilities + "}}}";
            String body =
                    (batch ? "[" + message + ",{\"id\":2,\"method\":\"ping\"}".repeat(1_000) + "]" : message) + padding;
            return method + " /mcp/" + view + query + " HTTP/1.1\nHost: " + host + "\n" + origin + "X-API-Key: "
                    + credential + "\nContent-Type: " + type + "\nAccept: application/json\nMCP-Protocol-Version: "
                    + version + "\nMcp-Method: " + header + "\nContent-Length: "
                    + body.getBytes(StandardCharsets.UTF_8).length + "\n\n" + body;
        }
    }

    /** Makes one part wrong. */
    private interface Spoiling {
        void spoil(Parts parts);
    }

    /**
     * An error.
     *
     * @param check what pages call the check that finds it
     * @param answer what the answer says
     */
    private record Wrong(String check, int status, String answer, Spoiling how) {}

    private static final List<Wrong> IN_ORDER = List.of(
            new Wrong("host", 403, "The Host", parts -> parts.host = "evil.example"),
            new Wrong("origin", 403, "this Origin", parts -> parts.origin = "Origin: https://evil.example\n"),
            new Wrong("URL", 400, "do not belong in URLs", parts -> parts.query = "?api_key=x"),
            new Wrong("credential", 401, "invalid_api_key", parts -> parts.credential = "sb_wrong"),
            new Wrong("view", 404, "nothing at this path", parts -> parts.view = "elsewhere"),
            new Wrong("method", 405, "This address accepts", parts -> parts.method = "PUT"),
            new Wrong("media type", 415, "Content-Type", parts -> parts.type = "text/plain"),
            new Wrong("size", 413, "larger than", parts -> parts.padding = " ".repeat(40_000)),
            new Wrong("JSON", 400, "-32700", parts -> parts.start = "{,"),
            new Wrong("rate", 400, "The batch has", parts -> parts.batch = true),
            new Wrong("_meta", 400, "clientCapabilities", parts -> parts.capabilities = "1"),
            new Wrong("headers against body", 400, "-32020", parts -> parts.header = "tools/call"),
            new Wrong("version", 400, "-32022", parts -> parts.version = "2027-01-01"),
            new Wrong("MCP method", 404, "-32601", parts -> {
                parts.rpcMethod = "tools/other";
                parts.header = parts.header.equals("tools/list") ? "tools/other" : parts.header;
            }));

    private String answer(Wrong... wrong) {
        Parts parts = new Parts("127.0.0.1:" + gateway.url().getPort(), key.text());
        for (Wrong one : wrong) {
            one.how().spoil(parts);
        }
        try (RawHttp client = new RawHttp(gateway.url().getPort())) {
            return client.send(parts.text()).readUntil("}}");
        }
    }

    @Test
    void aRequestWithoutAnErrorIsServed() {
        assertTrue(answer().startsWith("HTTP/1.1 200"));
    }

    /** The names of the checks follow one another in the section of each page that lists them. */
    @Test
    void thePagesGiveTheSameOrder() throws IOException {
        List<String> all = IN_ORDER.stream().map(Wrong::check).toList();
        List<String> http = all.subList(0, all.indexOf("JSON"));
        assertNamed(all, "README.md", "McpRoute  ", "tools/call");
        assertNamed(all, "docs/architecture.md", "The order of the checks", "3. `protocol");
        assertNamed(http, "src/main/java/switchboard/http/McpRoute.java", "It checks, in this order", "*/");
        assertNamed(http, "src/main/java/switchboard/protocol/McpEndpoint.java", "The transport has checked", "*/");
    }

    private static void assertNamed(List<String> checks, String page, String from, String to) throws IOException {
        String text = Files.readString(Path.of(page));
        int start = text.indexOf(from);
        String section = text.substring(start, text.indexOf(to, start)).replaceAll("\\s+[* ]*", " ");
        int at = 0;
        for (String check : checks) {
            int next = section.indexOf(check, at);
            assertTrue(next >= 0, () -> page + " lacks \"" + check + "\", or has it too early: " + section);
            at = next + check.length();
        }
    }

    @Test
    void ofTwoErrorsTheFirstIsAnswered() {
        for (int first = 0; first < IN_ORDER.size(); first++) {
            Wrong expected = IN_ORDER.get(first);
            assertAnswered(expected, answer(expected));
            for (int second : IntStream.range(first + 1, IN_ORDER.size()).toArray()) {
                assertAnswered(expected, answer(expected, IN_ORDER.get(second)));
            }
        }
    }

    private static void assertAnswered(Wrong expected, String answer) {
        assertEquals("HTTP/1.1 " + expected.status(), answer.substring(0, "HTTP/1.1 xxx".length()), answer);
        assertTrue(answer.contains(expected.answer()), () -> expected.answer() + " in " + answer);
    }
}
