package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.convert.MadeFiles;
import switchboard.files.UploadedFiles;
import switchboard.testing.ConsoleClient;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Files that people of two teams upload, and ingest with {@code ingest_file}. */
class ConsoleUploadsTest {
    private static final String UPLOADS = "api/v1/uploads?name=";
    private static final String BYTES = "application/octet-stream";

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());
    private final ApiKey writer = ApiKey.generate(new SecureRandom());
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["vectordb:read,search,create,update,files,embed:red-*"]
                  blue:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["vectordb:*"]
                  writers:
                    keys: [{id: w1, sha256: %s}]
                    grants: ["vectordb:read,search,create,update,embed", "switchboard:*"]
                """.formatted(red.sha256(), blue.sha256(), writer.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb, maxFileSize: 1MiB}}
                """, folder);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        gateway.close();
    }

    private ConsoleClient signedIn(ApiKey key) {
        ConsoleClient browser = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(browser);
        assertEquals(200, browser.signIn(key.text()).status());
        return browser;
    }

    private static HttpReply upload(ConsoleClient browser, String name, byte[] content) {
        return browser.send("POST", UPLOADS + URLEncoder.encode(name, StandardCharsets.UTF_8), BYTES, content);
    }

    private static String uploaded(ConsoleClient browser, String name, byte[] content) {
        HttpReply reply = upload(browser, name, content);
        assertEquals(201, reply.status(), reply::body);
        assertEquals(name, reply.json().path("name").asText());
        return reply.json().path("path").asText();
    }

    private ToolResult ingest(ConsoleClient browser, String path, String library) {
        McpTestClient client = browser.mcp("");
        open.add(client);
        return client.call("ingest_file", Json.object().put("path", path).put("library", library));
    }

    private boolean keeps(int files) {
        try {
            return kept().size() == files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> kept() throws IOException {
        Path uploads = folder.resolve(UploadedFiles.FOLDER);
        if (!Files.exists(uploads)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(uploads)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void aPdfIsIngestedUnderItsNameAndFoundOnItsPage() throws IOException {
        ConsoleClient browser = signedIn(red);
        String path = uploaded(browser, "größe 灯台.pdf", MadeFiles.pdf("The pelican waits.", "The cormorant dives."));
        assertEquals(1, kept().size());
        ToolResult result = ingest(browser, path, "red-birds");
        assertFalse(result.isError(), result::toString);
        JsonNode document = result.structured();
        assertEquals("indexed", document.path("status").asText());
        assertEquals("größe 灯台.pdf", document.path("source").asText());
        assertEquals(List.of(), kept(), "it is ingested once");

        McpTestClient client = browser.mcp("");
        open.add(client);
        ObjectNode search = Json.object().put("query", "cormorant").put("library", "red-birds");
        JsonNode hit =
                client.call("search", search).structured().path("results").path(0);
        assertEquals("größe 灯台.pdf", hit.path("source").asText());
        assertEquals("pdf", hit.path("file_type").asText());
        ToolResult again = ingest(browser, path, "red-birds");
        assertTrue(again.isError(), again::toString);
        assertTrue(again.text().contains("no such upload, or none any more"), again::text);
    }

    @Test
    void theSameFileAgainIsSkippedAndAnotherReplacesIt() {
        ConsoleClient browser = signedIn(red);
        byte[] first = "The first text.".getBytes(StandardCharsets.UTF_8);
        List<String> statuses = Stream.of(first, first, "Another one.".getBytes(StandardCharsets.UTF_8))
                .map(content -> ingest(browser, uploaded(browser, "note.md", content), "red-notes"))
                .map(result -> result.structured().path("status").asText())
                .toList();
        assertEquals(List.of("indexed", "skipped", "replaced"), statuses);
    }

    @Test
    void anUploadIsItsTeamsOnlyAndTakesNoRight() throws IOException {
        ConsoleClient browser = signedIn(red);
        String path = uploaded(browser, "note.md", new byte[] {'a'});
        ToolResult other = ingest(signedIn(blue), path, "blue");
        assertTrue(other.isError(), other::toString);
        assertTrue(other.text().contains("no such upload"), other::text);
        ToolResult denied = ingest(browser, path, "blue-notes");
        assertTrue(denied.isError(), denied::toString);
        assertEquals(1, kept().size(), "what was refused is still there");
        assertFalse(ingest(browser, path, "red-notes").isError());
    }

    @Test
    void aFileThatIsNoneOrTooLargeIsSaidByTheTool() throws IOException {
        ConsoleClient browser = signedIn(red);
        ToolResult broken = ingest(browser, uploaded(browser, "scan.pdf", new byte[] {1, 2, 3}), "red-scans");
        assertTrue(broken.isError(), broken::toString);
        assertTrue(broken.text().contains("scan.pdf"), broken::text);
        ToolResult large = ingest(browser, uploaded(browser, "large.txt", new byte[(1 << 20) + 1]), "red-scans");
        assertTrue(large.isError(), large::toString);
        assertTrue(large.text().contains("large.txt is larger than the limit of 1048576 bytes"), large::text);
        ToolResult empty = ingest(browser, uploaded(browser, "empty.txt", new byte[0]), "red-scans");
        assertTrue(empty.isError(), empty::toString);
        assertEquals(List.of(), kept());
    }

    @Test
    void aGatewayWithoutFoldersTakesUploadsAndNothingElse() {
        ToolResult result = ingest(signedIn(red), folder.resolve("teams.yaml").toString(), "red-notes");
        assertTrue(result.isError(), result::toString);
        assertTrue(result.text().contains("the operator has opened no folder"), result::text);
    }

    @Test
    void whatCannotBeAFileIsRefusedBeforeItIsRead() throws IOException {
        ConsoleClient browser = signedIn(red);
        byte[] one = {'a'};
        assertEquals(400, upload(browser, "../a.md", one).status());
        assertEquals(400, upload(browser, "a\nb.md", one).status());
        assertEquals(400, upload(browser, "", one).status());
        assertEquals(400, browser.send("POST", "api/v1/uploads", BYTES, one).status());
        assertEquals(
                415, browser.send("POST", UPLOADS + "a.md", "text/plain", one).status());
        HttpReply read = browser.get(UPLOADS + "a.md");
        assertEquals(405, read.status());
        assertEquals("POST, DELETE", read.header("Allow"));
        browser.with("Sec-Fetch-Site", "same-site");
        assertEquals(403, upload(browser, "a.md", one).status());
        assertEquals(List.of(), kept());
    }

    @Test
    void whatWillNotBeIngestedIsRemovedByItsTeam() throws IOException {
        ConsoleClient browser = signedIn(red);
        String path = uploaded(browser, "größe.md", new byte[] {'a'});
        String remove = "api/v1/uploads?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8);
        assertEquals(204, signedIn(blue).send("DELETE", remove, "").status());
        assertEquals(1, kept().size(), "it is not theirs");
        assertEquals(204, browser.send("DELETE", remove, "").status());
        assertEquals(List.of(), kept());
        assertEquals(204, browser.send("DELETE", remove, "").status());
        assertEquals(204, browser.send("DELETE", "api/v1/uploads", "").status());
    }

    @Test
    void whoMayIngestNoFilesUploadsNone() throws IOException {
        ConsoleClient browser = signedIn(writer);
        HttpReply refused = upload(browser, "a.md", new byte[] {'a'});
        assertEquals(403, refused.status());
        assertTrue(refused.body().contains("ingest_file, which has the verb files"), refused::body);
        assertEquals(List.of(), kept());
    }

    @Test
    void whoIsNotSignedInUploadsNothing() throws IOException {
        ConsoleClient browser = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(browser);
        assertEquals(401, upload(browser, "a.md", new byte[] {'a'}).status());
        assertEquals(List.of(), kept());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 67108865", "Transfer-Encoding: chunked"})
    void aLengthThatIsTooLargeOrUnknownIsRefusedAtOnce(String length) throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send(head(length));
            assertEquals(length.startsWith("Content") ? 413 : 411, http.status());
        }
        assertEquals(List.of(), kept());
    }

    @Test
    void whatBreaksOffLeavesNothing() throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send(head("Content-Length: 1000")).sendRaw("only this");
            Eventually.that(() -> keeps(1), () -> "there is room for it");
        }
        Eventually.that(() -> keeps(0), () -> "nothing is left of it");
    }

    private int port() {
        return gateway.app().consoleUrl().orElseThrow().getPort();
    }

    private String head(String length) {
        ConsoleClient browser = signedIn(red);
        return "POST /api/v1/uploads?name=a.md HTTP/1.1\nHost: 127.0.0.1:" + port() + "\nCookie: "
                + browser.header("Cookie") + "\nSec-Fetch-Site: same-origin\nContent-Type: " + BYTES + "\n" + length
                + "\n\n";
    }

    @Test
    void aTeamHasRoomForSoMuch() {
        ConsoleClient browser = signedIn(red);
        for (int i = 0; i < UploadedFiles.MOST_FILES_OF_A_TEAM; i++) {
            uploaded(browser, "note.md", new byte[] {'a'});
        }
        HttpReply full = upload(browser, "note.md", new byte[] {'a'});
        assertEquals(429, full.status(), full::body);
        assertEquals("60", full.header("Retry-After"));
        uploaded(signedIn(blue), "note.md", new byte[] {'a'});
    }
}
