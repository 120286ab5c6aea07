package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.call.Json;

/** The stub is what the recordings say it is: recorded requests get the recorded answers, but for times and orders. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StubFidelityTest {
    private static final Map<String, Recording> RECORDINGS = Recording.all();
    private static final List<String> VOLATILE = List.of(
            "creationTimeUnix",
            "lastUpdateTimeUnix",
            "deletionTimeUnixMilli",
            "match",
            "rating",
            "vector",
            "vectorWeights",
            "output");

    /** The recordings that the stub does not answer as recorded, each with the reason. */
    private static final Map<String, String> OTHERWISE = otherwise();

    private final HttpClient http = HttpClient.newHttpClient();

    @AfterAll
    void stop() {
        http.close();
    }

    private static Map<String, String> otherwise() {
        Map<String, String> reasons = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(Path.of("src/test/resources/weaviate/answered-otherwise.txt"))) {
                if (!line.startsWith("#")) {
                    String[] parts = line.split("  +", 2);
                    reasons.put(parts[0], parts[1]);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return reasons;
    }

    static Stream<String> claimed() {
        return RECORDINGS.keySet().stream().filter(name -> !OTHERWISE.containsKey(name));
    }

    @ParameterizedTest
    @MethodSource("claimed")
    void answersAsRecorded(String name) throws IOException, InterruptedException {
        Recording recording = Optional.ofNullable(RECORDINGS.get(name)).orElseThrow();
        Answer answer = ask(recording);
        assertEquals(recording.status(), answer.status(), answer::toString);
        assertEquals(comparable(recording.answer()), comparable(answer.body()));
    }

    @Test
    void whatIsNotClaimedIsListedWithAReasonAndReallyAnsweredOtherwise() throws IOException, InterruptedException {
        for (Map.Entry<String, String> entry : OTHERWISE.entrySet()) {
            assertFalse(entry.getValue().isBlank(), entry.getKey());
            Recording recording =
                    Optional.ofNullable(RECORDINGS.get(entry.getKey())).orElseThrow();
            assertFalse(asRecorded(recording), entry.getKey() + " is answered as recorded: claim it");
        }
    }

    private boolean asRecorded(Recording recording) throws IOException, InterruptedException {
        Answer answer = ask(recording);
        return answer.status() == recording.status()
                && comparable(answer.body()).equals(comparable(recording.answer()));
    }

    /** An answer of the stub; its body is missing where there is none. */
    private record Answer(int status, JsonNode body) {}

    /** Asks a stub of its own, since requests may change what is in it. */
    private Answer ask(Recording recording) throws IOException, InterruptedException {
        try (StubWeaviate stub = new StubWeaviate()) {
            // The fixtures are made through the stub's interface, as on a real server.
            TestEngine fixtures = new TestEngine(stub);
            fixtures.articlesToGet();
            fixtures.articlesToDelete("DeleteArticle");
            fixtures.articlesOfTenants();
            fixtures.articles();
            fixtures.articlesWithVectors();
            fixtures.articlesWithTwoVectors();
            fixtures.collection("MtEmpty", "\"multiTenancyConfig\":{\"enabled\":true}");
            String body = recording.body().isMissingNode() ? "" : Json.text(recording.body());
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(stub.url() + recording.path()))
                            .method(recording.method(), HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return new Answer(
                    answer.statusCode(),
                    answer.body().isEmpty() ? MissingNode.getInstance() : Json.parse(answer.body()));
        }
    }

    /** What is compared: all of an answer, or the words of a refusal. */
    private static JsonNode comparable(JsonNode answer) {
        if (answer.has("error") || answer.has("errors")) {
            return Json.mapper().valueToTree(messages(answer));
        }
        return steady(answer);
    }

    /** A refusal's words; a shard's random name does not count. */
    private static List<String> messages(JsonNode answer) {
        return Stream.of(answer.path("error"), answer.path("errors"))
                .flatMap(list -> StreamSupport.stream(list.spliterator(), false))
                .map(error -> error.path("message").asText())
                .map(message -> message.startsWith("msg:offset") ? message.replaceAll("\\. If you.*", "") : message)
                .toList();
    }

    private static JsonNode steady(JsonNode node) {
        if (node.isArray()) {
            List<JsonNode> elements = new ArrayList<>();
            node.forEach(element -> elements.add(steady(element)));
            elements.sort(Comparator.comparing(Json::text));
            return Json.array().addAll(elements);
        }
        if (!node.isObject()) {
            return node.isNumber()
                    ? Json.mapper()
                            .valueToTree(
                                    node.decimalValue().stripTrailingZeros().toPlainString())
                    : node;
        }
        ObjectNode object = Json.object();
        node.properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .filter(entry -> !VOLATILE.contains(entry.getKey()))
                .forEach(entry -> object.set(entry.getKey(), steady(entry.getValue())));
        return object;
    }
}
