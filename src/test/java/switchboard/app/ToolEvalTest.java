package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import switchboard.app.command.EvalCommand;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** {@code switchboard eval --sources} on a running gateway. */
class ToolEvalTest {
    @TempDir
    Path folder;

    @Test
    void theFusionAndAToolAreMeasuredSideBySide() throws Exception {
        Files.writeString(folder.resolve("corpus.jsonl"), """
                {"_id": "d1", "title": "", "text": "A tugboat moves larger vessels."}
                {"_id": "d2", "title": "", "text": "A ferry carries passengers."}
                """);
        Files.writeString(folder.resolve("queries.jsonl"), """
                {"_id": "q1", "text": "tugboat"}
                {"_id": "q2", "text": "passengers on a ferry"}
                """);
        Files.writeString(folder.resolve("qrels.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n");
        ApiKey key = ApiKey.generate(new SecureRandom());
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  search: {keys: [{id: s1, sha256: %s}], grants: ["*:*"]}
                """.formatted(key.sha256()));
        Path keyFile = Files.writeString(folder.resolve("key"), key.text() + "\n");
        try (TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, dataDir: data/one}
                  archive: {type: vectordb, dataDir: data/two}
                """, folder)) {
            McpTestClient client = gateway.modern().with("Authorization", "Bearer " + key.text());
            client.call(
                    "ingest_text",
                    Json.object()
                            .put("content", "A tugboat moves larger vessels.")
                            .put("source", "https://a.example/d1.txt"));
            client.call(
                    "archive__ingest_text",
                    Json.object().put("content", "A ferry carries passengers.").put("source", "d2"));
            StringWriter out = new StringWriter();
            Path report = folder.resolve("report.md");
            Path metrics = folder.resolve("eval.prom");
            int status = new CommandLine(new EvalCommand())
                    .setOut(new PrintWriter(out))
                    .execute(
                            "--url",
                            gateway.url().toString(),
                            "--key-file",
                            keyFile.toString(),
                            "--sources",
                            "vectordb,archive",
                            "--run",
                            "one store=vectordb__search:{\"query\": \"?\", \"top_k\": 5}",
                            "--report",
                            report.toString(),
                            "--metrics",
                            metrics.toString(),
                            folder.toString());
            assertEquals(0, status, out::toString);
            String text = Files.readString(report);
            assertTrue(text.contains("| fused vectordb archive | 1.0000 | 1.0000 |"), text);
            assertTrue(text.contains("| one store | 0.5000 | 0.5000 |"), text);
            assertTrue(
                    Files.readString(metrics).contains("run=\"one store\",measure=\"recall_at_10\"} 0.5"), () -> text);
            StringWriter refused = new StringWriter();
            assertNotEquals(
                    0,
                    new CommandLine(new EvalCommand())
                            .setErr(new PrintWriter(refused))
                            .execute("--url", gateway.url().toString(), "--sources", "vectordb", folder.toString()));
            assertTrue(refused.toString().contains("An API key is needed"), refused::toString);
        }
    }
}
