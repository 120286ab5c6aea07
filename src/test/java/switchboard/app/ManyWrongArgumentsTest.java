package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** A call with as many wrong arguments as a body has room for is refused like one with ten, and keeps no thread busy. */
class ManyWrongArgumentsTest {
    /** Such a call takes a second. It took half a minute, on an event loop, and gigabytes of memory. */
    private static final Duration LONG = Duration.ofSeconds(10);

    @TempDir
    Path data;

    @Test
    void theyAreRefusedSoon() {
        try (TestGateway gateway = TestGateway.start(configuration(), data)) {
            McpTestClient client = gateway.modern();
            refused(client, "list_libraries", "{" + longNames() + "}");
            refused(client, "search_everywhere", "{\"query\": \"x\", \"sources\": [" + numbers() + "]}");
            refused(client, "vectordb__ingest_text", "{\"content\": \"x\", \"allow\": [" + numbers() + "]}");
        }
    }

    private static void refused(McpTestClient client, String tool, String arguments) {
        ToolResult refusal = assertTimeout(LONG, () -> client.call(tool, arguments));
        assertEquals("INVALID_ARGUMENT", refusal.errorKind(), refusal::toString);
        assertTrue(refusal.error().path("problems").size() <= 10, refusal::toString);
    }

    /** Names that are equal where they are cut, so that all of them make one sentence. */
    private static String longNames() {
        String start = "k".repeat(300);
        return IntStream.range(0, 12_000)
                .mapToObj(i -> "\"" + start + i + "\":1")
                .collect(Collectors.joining(","));
    }

    private static String numbers() {
        return IntStream.range(0, 1_900_000).mapToObj(_ -> "1").collect(Collectors.joining(","));
    }

    private static String configuration() {
        return """
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                """;
    }
}
