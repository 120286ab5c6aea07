package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.PythonTools;
import switchboard.testing.SeedExamples;
import switchboard.testing.SeedTable;
import switchboard.testing.SeedTable.Kind;
import switchboard.testing.TestGateway;

/** The examples of the documentation of Meilisearch's MCP feature. */
class SeedTableTest {
    private static final String PRINTED = "http://localhost:7700";
    private static final ApiKey KEY = ApiKey.generate(new SecureRandom());
    private static final StubMeilisearch ENGINE = new StubMeilisearch();

    @TempDir
    static Path folder;

    private static TestGateway open;
    private static TestGateway keys;

    @BeforeAll
    static void start() throws IOException {
        Path key = Files.writeString(folder.resolve("meili.key"), ENGINE.key("test-master-key"));
        String backend = """
            backends:
              meilisearch: {type: meilisearch, url: "%s", apiKey: "${file:%s}"}
            """.formatted(ENGINE.url(), key);
        open = TestGateway.start(backend);
        Path data = Files.createDirectory(folder.resolve("keys"));
        Files.writeString(data.resolve("teams.yaml"), """
            teams:
              searchers:
                keys: [{id: "%s", sha256: "%s"}]
                grants: ["meilisearch:search:movies"]
            """.formatted(KEY.id(), KEY.sha256()));
        keys = TestGateway.start(backend + "auth: {mode: keys, teamsFile: " + data.resolve("teams.yaml") + "}\n", data);
    }

    @AfterAll
    static void stop() {
        open.close();
        keys.close();
        ENGINE.verify();
        ENGINE.close();
    }

    @TestFactory
    Stream<DynamicTest> examples() {
        return new SeedExamples("meilisearch", PRINTED, Map.of("key", KEY.text()))
                .tests(
                        SeedTable.read().inOrder("meilisearch").stream()
                                .filter(row -> row.kind() != Kind.PYTHON && row.kind() != Kind.NOTE)
                                .toList(),
                        SeedTableTest::prepared);
    }

    /** The Python client as printed, with the address of the gateway. */
    @Test
    @Tag("engines")
    void thePythonProgramRunsAsItIs() throws IOException {
        for (SeedTable.Example example : SeedTable.read().of("meilisearch")) {
            if (example.kind() == Kind.PYTHON) {
                for (int i = 0; i < 2; i++) {
                    ENGINE.expect(search("{\"q\": \"science fiction\", \"limit\": 5}"));
                }
                String printed = example.request().asText();
                String here = printed.replace(PRINTED, "http://" + open.url().getAuthority())
                        .replace("{self.host}/mcp", "{self.host}/mcp/meilisearch");
                Path program = Files.writeString(folder.resolve("example.py"), here);
                String output = PythonTools.install().program(program, "").run(() -> {});
                assertEquals(
                        "Available tools: ['meilisearch_get_index_info', 'meilisearch_list_indexes',"
                                + " 'meilisearch_search']",
                        output.strip());
            }
        }
    }

    private static TestGateway prepared(SeedTable.Example example) {
        switch (example.id()) {
            case "meilisearch-14" -> ENGINE.expect(search("{\"q\": \"science fiction\"}"));
            case "meilisearch-16" ->
                ENGINE.expect(Recording.of("index-list").withPath("/indexes?limit=10"), Recording.of("stats-all"));
            case "meilisearch-18" -> ENGINE.expect("index-get", "settings-movies", "stats-movies");
            case "meilisearch-20", "meilisearch-21" -> ENGINE.expect(search(body(example)));
            case "meilisearch-22" ->
                ENGINE.expect(Recording.of("search-text-embedder-ratio0.5")
                        .withPath("/indexes/movies/search")
                        .withBody(body(example)));
            default -> {}
        }
        return example.gateway().isEmpty() ? open : keys;
    }

    /** What the engine is sent: the arguments without the index. */
    private static String body(SeedTable.Example example) {
        ObjectNode arguments = example.request().path("arguments").deepCopy();
        arguments.remove("indexUid");
        return Json.text(arguments);
    }

    private static Recording search(String body) {
        return Recording.of("search-keyword-matrix").withBody(body);
    }
}
