package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Passwords of the configuration are in no error of the server, whatever makes it say them, the last ones neither. */
@Tag("engines")
class SecretsInErrorsTest {
    private static final List<String> SAYING = List.of(
            "SELECT '%s'::int",
            "SELECT * FROM \\\"%s\\\"", "SELECT '{\\\"a\\\": %s}'::json", "SELECT %s FROM pg_class");

    @TempDir
    Path folder;

    @Test
    void noErrorSaysThem() throws Exception {
        try (PostgresCluster cluster = PostgresCluster.alone()) {
            cluster.sql("CREATE ROLE direct LOGIN PASSWORD 'first_password'");
            Path password = Files.writeString(folder.resolve("password"), "first_password");
            Files.writeString(
                    folder.resolve("url"),
                    "postgres://direct:third%5Fpassword@127.0.0.1:" + cluster.port() + "/" + cluster.database());
            try (TestGateway gateway = TestGateway.start("""
                    embedders: {default: {provider: none}}
                    backends:
                      direct:
                        type: postgres
                        connection:
                          {host: 127.0.0.1, port: %1$d, database: %2$s, user: direct, password: "${file:password}"}
                        databases:
                          other: {url: "${file:url}"}
                    """.formatted(cluster.port(), cluster.database()), folder)) {
                McpTestClient client = gateway.modern();
                hidden(client, "first_password");
                hidden(client, "third_password");
                Files.writeString(password, "second_password");
                for (int look = 0; look < 3; look++) {
                    gateway.app().reload();
                }
                hidden(client, "first_password");
                hidden(client, "second_password");
                ToolResult innocent =
                        client.call("direct__query_database", "{\"query\": \"SELECT 'some_password'::int\"}");
                assertTrue(innocent.text().contains("some_password"), innocent::toString);
            }
        }
    }

    private static void hidden(McpTestClient client, String secret) {
        for (String query : SAYING) {
            ToolResult result =
                    client.call("direct__query_database", "{\"query\": \"%s\"}".formatted(query.formatted(secret)));
            assertTrue(result.isError(), result::toString);
            assertEquals("INVALID_ARGUMENT", result.errorKind(), result::toString);
            assertFalse(Json.text(result.result()).contains(secret), result::toString);
            assertTrue(result.text().contains("***"), result::toString);
        }
    }
}
