package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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

    private StubWeaviate stub;
    private HttpClient http;

    @BeforeAll
    void start() {
        stub = new StubWeaviate();
        http = HttpClient.newHttpClient();
        // The fixtures' own helper makes them through the stub's interface, as on a real server.
        TestEngine fixtures = new TestEngine(stub);
        fixtures.articlesToGet();
        fixtures.articlesToDelete("DeleteArticle");
        fixtures.articlesOfTenants();
        fixtures.articles();
        fixtures.collection("MtEmpty", "\"multiTenancyConfig\":{\"enabled\":true}");
    }

    @AfterAll
    void stop() {
        http.close();
        stub.close();
    }

    static Stream<String> claimed() {
        return RECORDINGS.keySet().stream()
                .filter(
                        name -> name.matches(
                                "delete-dry-(?!.*(verbose|valuestring|date-only|case|nested|valuetext-array)).*"
                                        + "|objects-list(-after.*|-default-limit|-limit|-limit-0|-offset|-offset-past-end|-tenant|-tenant-missing|-tenant-on-plain-class|-tenant-unknown|-tenant-cold|-unknown-class|-limit-negative)?"
                                        + "|object-get(-404|-nil-uuid|-tenant-cold|-tenant-missing|-tenant-unknown|-tenant-on-plain-class|-tenant-other|-lowercase-class)?"
                                        + "|tenants-list-(empty|not-multi-tenant|unknown-class)|tenants-get-one.*"
                                        + "|schema-get-one-404|schema-create-cross-reference-unknown|schema-create-invalid-datatype|schema-create-vector-unknown-module"
                                        + "|upsert-bad-uuid|upsert-no-class|hybrid-(unknown-class|tenant-on-plain-class|tenant-unknown|tenant-cold|tenant-missing|filter-.*)"))
                .filter(
                        name -> !name.matches(
                                "objects-list-after-(bad-uuid|no-class|no-limit|with-offset)"
                                        + "|delete-dry-(number|contains.*id|id.*any)|hybrid-filter-(operator.*|path-string|type|property|no-value|int-as-float|date-bad|contains-any-valuetextarray)"));
    }

    @ParameterizedTest
    @MethodSource("claimed")
    void answersAsRecorded(String name) throws IOException, InterruptedException {
        Recording recording = Optional.ofNullable(RECORDINGS.get(name)).orElseThrow();
        String body = recording.body().isMissingNode() ? "" : Json.text(recording.body());
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(stub.url() + recording.path()))
                        .method(recording.method(), HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(recording.status(), answer.statusCode(), answer::body);
        JsonNode expected = steady(recording.answer());
        JsonNode got = answer.body().isEmpty() ? recording.answer() : steady(Json.parse(answer.body()));
        assertEquals(messages(expected), messages(got));
        if (recording.status() == 200 && !expected.has("errors")) {
            assertEquals(expected, got);
        }
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
