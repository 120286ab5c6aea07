package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.call.Json;
import switchboard.testing.LetterModel;
import switchboard.testing.TestGateway;

/** {@code eval} of a set as BEIR distributes it. */
class EvalCommandTest {
    @TempDir
    Path folder;

    private final LetterModel model = new LetterModel();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path set;

    @BeforeEach
    void writeSet() throws IOException {
        set = Files.createDirectories(folder.resolve("birds"));
        Files.writeString(set.resolve("corpus.jsonl"), """
                {"_id": "d1", "title": "Storks", "text": "A stork nests on chimneys.", "metadata": {}}
                {"_id": "d2", "title": "Herons", "text": "A heron waits for fish.", "metadata": {}}
                {"_id": "d3", "title": "", "text": "Owls hunt at night.", "metadata": {}}
                """);
        Files.writeString(set.resolve("queries.jsonl"), """
                {"_id": "q1", "text": "stork chimneys"}
                {"_id": "q2", "text": "nohweres"}
                {"_id": "q3", "text": "not judged"}
                """);
        Files.writeString(
                Files.createDirectories(set.resolve("qrels")).resolve("test.tsv"),
                "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t2\nq2\td3\t0\n");
        Files.writeString(folder.resolve("switchboard.yaml"), """
                embedders: {default: {provider: none}, letters: %s}
                backends: {vectordb: {type: vectordb}}
                """.formatted(model.yaml()));
    }

    @AfterEach
    void stop() {
        model.close();
    }

    private int eval(String... more) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Stream<String> always = Stream.of(
                "eval",
                set.toString(),
                "--config",
                folder.resolve("switchboard.yaml").toString(),
                "--data",
                folder.resolve("data").toString());
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(Stream.concat(always, Stream.of(more)).toArray(String[]::new));
    }

    private JsonNode json() throws JsonProcessingException {
        return Json.parse(out.toString());
    }

    private String said() {
        return out + "\n" + err;
    }

    @Test
    void withoutAnEmbedderKeywordsAreMeasured() throws IOException {
        assertEquals(0, eval("--json"), this::said);
        assertEquals(2, json().path("queries").asInt(), this::said);
        assertEquals(1, json().path("modes").size(), this::said);
        assertEquals("keyword", json().at("/modes/0/mode").asText());
        assertEquals(0.5, json().at("/modes/0/quality/ndcg10").asDouble(), this::said);
        assertEquals(0, eval("--embedder", "none"), this::said);
        assertTrue(out.toString().contains("birds: 3 documents, 2 queries"), this::said);
        assertTrue(eval("--embedder", "nothing") != 0);
        assertTrue(said().contains("there is no embedder \"nothing\""), this::said);
    }

    @Test
    void severalConfigurationsAreComparedQueryByQueryInOneRun() throws IOException {
        Path table = folder.resolve("by-query.tsv");
        String[] compared = {
            "--embedder", "none,letters", "--baseline", "keyword (none)", "--json", "--by-query", table.toString()
        };
        assertEquals(0, eval(compared), this::said);
        JsonNode hybrid = Json.array();
        for (JsonNode mode : json().path("modes")) {
            hybrid = mode.path("mode").asText().equals("hybrid (letters)") ? mode : hybrid;
        }
        JsonNode difference = hybrid.path("difference");
        assertEquals("keyword (none)", difference.path("to").asText(), this::said);
        double first = difference.at("/byQuery/q1").asDouble(99);
        double second = difference.at("/byQuery/q2").asDouble(99);
        assertTrue(second > 0, "the letters of the second query find the document that no word finds");
        assertEquals((first + second) / 2, difference.path("mean").asDouble(), 1e-9);
        assertTrue(difference.path("low").asDouble() <= difference.path("mean").asDouble(), this::said);
        assertTrue(difference.path("high").asDouble() >= difference.path("mean").asDouble(), this::said);
        List<String> lines = Files.readAllLines(table);
        assertTrue(lines.getFirst().startsWith("query\tkeyword (none)\tkeyword (letters)\t"), lines::toString);
        assertTrue(lines.getFirst().contains("\thybrid (letters) - keyword (none)"), lines::toString);
        assertEquals(
                List.of("q1", "q2"),
                lines.stream().skip(1).map(line -> line.split("\t")[0]).toList());
        String once = out.toString().replaceAll("\"p\\d+Millis\":[^,]+", "");
        assertEquals(0, eval(compared), this::said);
        assertEquals(once, out.toString().replaceAll("\"p\\d+Millis\":[^,]+", ""), "the same interval again");
        assertTrue(eval("--baseline", "none of them") != 0);
        assertTrue(said().contains("there are keyword"), this::said);
    }

    private void isRefused(String file, String content, String why) throws IOException {
        Path changed = set.resolve(file);
        String before = Files.readString(changed);
        Files.writeString(changed, content);
        assertTrue(eval() != 0, this::said);
        assertTrue(said().contains(why), this::said);
        assertFalse(said().contains("defect"), this::said);
        assertFalse(said().contains("nDCG"), this::said);
        Files.writeString(changed, before);
    }

    @Test
    void aSetThatCannotBeUsedIsNotMeasured() throws IOException {
        isRefused("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1.0\nq2\td2\t1\n", "test.tsv, line 2");
        isRefused("qrels/test.tsv", "q1 0 d1 1\nq2 0 d2 1\n", "test.tsv, line 2");
        isRefused("qrels/test.tsv", "query-id\tcorpus-id\tscore\nother\td1\t1\n", "none of its queries");
        isRefused(
                "corpus.jsonl", "{\"_id\": \"d1\", \"text\": \"A\"}\n\n{\"_id\": \"d2\", \"te", "corpus.jsonl, line 3");
        isRefused("queries.jsonl", "{\"id\": \"q1\", \"text\": \"stork\"}\n", "queries.jsonl, line 1");
        Files.delete(set.resolve("qrels/test.tsv"));
        assertTrue(eval() != 0, this::said);
        assertTrue(said().contains("There is no file " + set.resolve("qrels/test.tsv")), this::said);
    }

    @Test
    void aFileForResultsThatCannotBeWrittenIsSaidBeforeAnythingIsMeasured() {
        for (String option : List.of("--report", "--metrics", "--by-query")) {
            Path file = folder.resolve("nowhere").resolve("results");
            assertTrue(eval(option, file.toString()) != 0, this::said);
            assertTrue(said().contains(option + " " + file + ": the folder of this file does not exist"), this::said);
            assertFalse(said().contains("nDCG@10"), this::said);
        }
    }

    /** The model prefers what the words put last. */
    @Test
    void whatARerankerGainsIsMeasured() throws IOException {
        Files.writeString(set.resolve("corpus.jsonl"), """
                {"_id": "d1", "title": "", "text": "Owls hunt at night.", "metadata": {}}
                {"_id": "d2", "title": "", "text": "Owls wait for the whole day, far away in the woods.", "metadata": {}}
                {"_id": "d3", "title": "", "text": "A heron.", "metadata": {}}
                """);
        Files.writeString(set.resolve("queries.jsonl"), "{\"_id\": \"q1\", \"text\": \"owls hunt\"}\n");
        Files.writeString(set.resolve("qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq1\td2\t1\n");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/rerank", EvalCommandTest::rerank);
        server.start();
        try {
            Files.writeString(folder.resolve("switchboard.yaml"), """
                    embedders: {default: {provider: none}}
                    backends: {vectordb: {type: vectordb}}
                    rerank: {provider: http, url: "http://127.0.0.1:%d"}
                    """.formatted(
                            server.getAddress().getPort()));
            assertEquals(0, eval("--json"), this::said);
        } finally {
            server.stop(0);
        }
        assertEquals(2, json().path("modes").size(), this::said);
        assertEquals("keyword", json().at("/modes/0/mode").asText());
        assertEquals(0.6309, json().at("/modes/0/quality/ndcg10").asDouble(), 0.0001, this::said);
        assertEquals("reranked", json().at("/modes/1/mode").asText());
        assertEquals(1, json().at("/modes/1/quality/ndcg10").asDouble(), this::said);
        assertEquals("keyword", json().at("/modes/1/difference/to").asText(), this::said);
    }

    /** Longer passages have higher scores. */
    private static void rerank(HttpExchange exchange) throws IOException {
        try (exchange) {
            ObjectNode answer = Json.object();
            ArrayNode results = answer.putArray("results");
            for (JsonNode passage :
                    Json.parse(exchange.getRequestBody().readAllBytes()).path("documents")) {
                results.addObject()
                        .put("index", results.size() - 1)
                        .put("relevance_score", passage.asText().length());
            }
            byte[] bytes = Json.bytes(answer);
            exchange.getResponseHeaders().add("content-type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Test
    void toolsOfARunningGatewayAreComparedQueryByQuery() throws IOException {
        try (TestGateway gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """)) {
            for (JsonNode text : Json.parse("""
                    [{"source": "d1", "content": "A stork nests on chimneys."}, {"source": "d2", "content": "A heron waits."}]
                    """)) {
                gateway.modern().call("ingest_text", Json.text(text));
            }
            Path table = folder.resolve("tools.tsv");
            assertEquals(
                    0,
                    eval(
                            "--url",
                            gateway.url().toString(),
                            "--run",
                            "all=vectordb__search:{\"library\": \"default\"}",
                            "--run",
                            "none=vectordb__search:{\"library\": \"default\", \"filter\": {\"page\": 9}}",
                            "--baseline",
                            "none",
                            "--by-query",
                            table.toString()),
                    this::said);
            assertEquals(
                    List.of("query\tnone\tall\tall - none", "q1\t0.0000\t1.0000\t1.0000", "q2\t0.0000\t0.0000\t0.0000"),
                    Files.readAllLines(table));
            assertTrue(out.toString().contains("| +0.5000 [+0.0000, +1.0000] |"), this::said);
        }
    }
}
