package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import switchboard.backend.meilisearch.IndexEngine;
import switchboard.backend.weaviate.CollectionEngine;
import switchboard.call.Json;
import switchboard.config.ConfigException;
import switchboard.config.Problem;
import switchboard.testing.LoadedEngine;
import switchboard.testing.LoadedEngine.Document;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** {@code search.sources.*.embedder}: the source that it is declared for is searched by meaning, its neighbours are not. */
class DeclaredEmbedderTest {
    private static final int DIMENSION = 384;
    private static final String EMBEDDERS = "embedders: {default: {provider: none}, prose: {provider: onnx}}\n";

    private static void load(LoadedEngine engine, String collection) {
        float[] vector = new float[DIMENSION];
        vector[0] = 1;
        engine.load(
                collection,
                Map.of("text", "text"),
                List.of(new Document(1, Json.object().put("text", "A tug moves ships."), vector)));
    }

    @Test
    void aSourceIsSearchedByTheModelThatIsDeclaredForIt() {
        try (LoadedEngine weaviate = new CollectionEngine();
                LoadedEngine meilisearch = new IndexEngine()) {
            for (String collection : List.of("Prose", "Plain")) {
                load(weaviate, collection);
                load(meilisearch, collection);
            }
            try (TestGateway gateway = TestGateway.start(EMBEDDERS
                    + """
                    backends:
                      vectordb: {type: vectordb}
                      weaviate: {type: weaviate, %s}
                      meilisearch: {type: meilisearch, %s}
                    search:
                      sources:
                        "vectordb:Prose": {embedder: prose}
                        "weaviate:%s": {embedder: prose}
                        "meilisearch:%s": {embedder: prose}
                    """.formatted(
                                    weaviate.settings(),
                                    meilisearch.settings(),
                                    weaviate.name("Prose"),
                                    meilisearch.name("Prose")))) {
                McpTestClient client = gateway.modern();
                for (String library : List.of("Prose", "Plain")) {
                    client.call(
                            "ingest_text",
                            Json.object()
                                    .put("content", "A tug moves ships.")
                                    .put("source", library)
                                    .put("library", library));
                }
                Map<String, Boolean> compared = new TreeMap<>();
                for (String name : List.of("Prose", "Plain")) {
                    for (String source : List.of(
                            "vectordb:" + name,
                            "weaviate:" + weaviate.name(name),
                            "meilisearch:" + meilisearch.name(name))) {
                        JsonNode answer = client.call(
                                        "search_everywhere",
                                        Json.object()
                                                .put("query", "tug")
                                                .set("sources", Json.array().add(source)))
                                .structured();
                        assertEquals(1, answer.path("results").size(), answer::toString);
                        compared.put(
                                source.substring(0, source.indexOf(':')) + " " + name,
                                answer.path("results").get(0).has("similarity"));
                    }
                }
                assertEquals(
                        "{meilisearch Plain=false, meilisearch Prose=true, vectordb Plain=false, vectordb Prose=true,"
                                + " weaviate Plain=false, weaviate Prose=true}",
                        compared.toString());
            }
        }
    }

    @Test
    void oneThatDoesNotExistKeepsTheGatewayFromStarting() {
        ConfigException refused = assertThrows(ConfigException.class, () -> TestGateway.start(EMBEDDERS + """
                        backends: {vectordb: {type: vectordb}}
                        search: {sources: {"vectrdb:Prose": {embedder: prse}}}
                        """));
        assertEquals(
                List.of(
                        "test.yaml:3: search.sources.vectrdb:Prose: there is no backend \"vectrdb\"; did you mean"
                                + " vectordb?",
                        "test.yaml:3: search.sources.vectrdb:Prose.embedder: there is no embedder \"prse\"; did you"
                                + " mean prose?"),
                refused.problems().stream().map(Problem::toString).toList());
    }
}
