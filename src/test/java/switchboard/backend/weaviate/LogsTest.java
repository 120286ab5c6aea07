package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.config.Secret;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;
import switchboard.upstream.UpstreamSettings;

/** {@code weaviate-logs-fetch}. */
class LogsTest {
    private static final String LOGS = "weaviate-logs-fetch";

    @TempDir
    Path folder;

    private static WeaviateSettings settings(URI url, WeaviateSettings.Logs logs, @Nullable Secret key) {
        return new WeaviateSettings(url, key, false, logs, null, Duration.ofSeconds(30), UpstreamSettings.defaults());
    }

    private BackendHarness withFile(String text) throws IOException {
        Files.writeString(folder.resolve("weaviate.log"), text);
        return BackendHarness.start(
                new WeaviateModule(),
                settings(
                        URI.create("http://127.0.0.1:1"),
                        new WeaviateSettings.Logs(
                                true, WeaviateSettings.LogSourceType.FILE, Path.of("weaviate.log"), null),
                        null),
                folder);
    }

    @Test
    void endOfTheFileIsCutByCharactersFromTheEnd() throws IOException {
        try (BackendHarness gateway = withFile("abcdefghij")) {
            JsonNode page = gateway.call(LOGS, "{\"limit\":3,\"offset\":2}").structured();
            assertEquals("fgh", page.path("logs").asText());
            assertEquals("file", page.path("source").asText());
            assertEquals(
                    "",
                    gateway.call(LOGS, "{\"offset\":10}")
                            .structured()
                            .path("logs")
                            .asText());
            assertEquals(
                    "",
                    gateway.call(LOGS, "{\"offset\":9999999}")
                            .structured()
                            .path("logs")
                            .asText());
            assertEquals(
                    "ab",
                    gateway.call(LOGS, "{\"limit\":5,\"offset\":8}")
                            .structured()
                            .path("logs")
                            .asText());
            assertEquals(
                    "abcdefghij",
                    gateway.call(LOGS, "{}").structured().path("logs").asText());
        }
    }

    @Test
    void charactersBeyondOneByteStayWhole() throws IOException {
        try (BackendHarness gateway = withFile("日本🙂".repeat(200_000))) {
            assertEquals(
                    "🙂",
                    gateway.call(LOGS, "{\"limit\":1}")
                            .structured()
                            .path("logs")
                            .asText());
            assertEquals(
                    "本",
                    gateway.call(LOGS, "{\"limit\":1,\"offset\":1}")
                            .structured()
                            .path("logs")
                            .asText());
            String all = gateway.call(LOGS, "{\"limit\":50000,\"offset\":0}")
                    .structured()
                    .path("logs")
                    .asText();
            assertEquals(50_000, all.codePointCount(0, all.length()));
            assertFalse(all.contains("\uFFFD"));
        }
    }

    @Test
    void defaultIsTwoThousandAndMoreThanFiftyThousandIsCut() throws IOException {
        try (BackendHarness gateway = withFile("x".repeat(80_000))) {
            assertEquals(
                    2_000,
                    gateway.call(LOGS, "{}").structured().path("logs").asText().length());
            assertEquals(
                    2_000,
                    gateway.call(LOGS, "{\"limit\":0}")
                            .structured()
                            .path("logs")
                            .asText()
                            .length());
            assertEquals(
                    50_000,
                    gateway.call(LOGS, "{\"limit\":70000}")
                            .structured()
                            .path("logs")
                            .asText()
                            .length());
            assertEquals(
                    "INVALID_ARGUMENT", gateway.call(LOGS, "{\"offset\":-1}").errorKind());
        }
    }

    @Test
    void credentialsAndVectorsAreTakenOut() throws IOException {
        String log =
                "msg=\"in\" Authorization: Bearer s3cr3t-key body={\"vector\":[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9]}"
                        + " X-OpenAI-Api-Key=sk-123 end";
        try (BackendHarness gateway = withFile(log)) {
            String shown = gateway.call(LOGS, "{}").structured().path("logs").asText();
            assertFalse(shown.contains("s3cr3t"), shown);
            assertFalse(shown.contains("sk-123"), shown);
            assertFalse(shown.contains("0.1,0.2"), shown);
            assertTrue(shown.endsWith("end"), shown);
        }
    }

    @Test
    void unreadableFileIsUnavailable() throws IOException {
        try (BackendHarness gateway = withFile("x")) {
            Files.delete(folder.resolve("weaviate.log"));
            ToolResult result = gateway.call(LOGS, "{}");
            assertEquals("UNAVAILABLE", result.errorKind());
            assertFalse(result.text().contains(folder.toString()), result.text());
        }
    }

    @Test
    void gatewaysOwnRecordSaysThatItIs() {
        try (StubWeaviate stub = new StubWeaviate();
                BackendHarness gateway = BackendHarness.start(
                        new WeaviateModule(),
                        settings(
                                stub.url(),
                                new WeaviateSettings.Logs(true, WeaviateSettings.LogSourceType.GATEWAY, null, null),
                                Secret.of("very-secret-key")),
                        folder)) {
            gateway.call("weaviate-collections-get-config", "{\"collection_name\":\"Nope\"}");
            gateway.call("weaviate-tenants-list", "{\"collection_name\":\"Nope\"}");
            JsonNode page = gateway.call(LOGS, "{}").structured();
            assertEquals("gateway", page.path("source").asText());
            String logs = page.path("logs").asText();
            assertTrue(logs.contains("GET /v1/schema/Nope 404"), logs);
            assertTrue(logs.contains("class not found"), logs);
            assertFalse(logs.contains("very-secret-key"), logs);
        }
    }

    @Test
    void withoutASourceTheToolSaysThatThereIsNone() {
        try (BackendHarness gateway = BackendHarness.start(
                new WeaviateModule(),
                settings(URI.create("http://127.0.0.1:1"), new WeaviateSettings.Logs(true, null, null, null), null),
                folder)) {
            ToolResult result = gateway.call(LOGS, "{}");
            assertEquals("UNAVAILABLE", result.errorKind());
            assertTrue(result.text().contains("no log source is configured"), result.text());
        }
    }

    @Test
    void teamKeptToSomeCollectionsOrATenantReadsNone() throws IOException {
        try (BackendHarness gateway = withFile("secret of another team")) {
            Caller some = new Caller(
                    "team", "key", Caller.unrestricted().rights(), ResourceScope.anyOf(List.of("Mine")), Map.of());
            gateway.as(_ -> some);
            assertEquals("DENIED", gateway.call(LOGS, "{}").errorKind());
            Caller bound = new Caller(
                    "team", "key", some.rights(), ResourceScope.ALL, Map.of(TenantScope.TENANT_BINDING, "tenant-a"));
            gateway.as(_ -> bound);
            assertEquals("DENIED", gateway.call(LOGS, "{}").errorKind());
        }
    }

    @Test
    void toolsBehindClosedGatesDoNotExist() {
        try (BackendHarness gateway = BackendHarness.start(
                new WeaviateModule(),
                settings(URI.create("http://127.0.0.1:1"), new WeaviateSettings.Logs(false, null, null, null), null),
                folder)) {
            assertThrows(AssertionError.class, () -> gateway.call(LOGS, "{}"));
            assertThrows(AssertionError.class, () -> gateway.call("weaviate-objects-delete", "{}"));
            assertEquals(
                    "UNAVAILABLE",
                    gateway.call("weaviate-collections-get-config", "{}").errorKind());
        }
    }

    @Test
    void fileSourceNeedsAFile() {
        WeaviateSettings settings = settings(
                URI.create("http://127.0.0.1:1"),
                new WeaviateSettings.Logs(true, WeaviateSettings.LogSourceType.FILE, null, null),
                null);
        assertThrows(IllegalArgumentException.class, () -> BackendHarness.start(new WeaviateModule(), settings, folder)
                .close());
    }
}
