package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
            "vector",
            "vectorWeights",
            "description");

    /** How many are not compared at most; this only shrinks. */
    private static final int MOST_OTHERWISE = 48;

    /** Why a recording is not compared; each reason has a sign by which it is checked. */
    private enum Reason {
        /** The stub reports such a request as one that the gateway must not make. */
        NEVER_SENT,
        /** A test plays this recording. */
        PLAYED,
        /** The same was asked of a server with other data, or another time: another recording is the same question. */
        ASKED_AGAIN,
        /** The answer is one of several that the server may give: it has the same status and the same members. */
        ARBITRARY,
        /** The server adds settings that nobody reads: all that was asked for is in both answers. */
        DEFAULTS
    }

    /** The recordings that the stub does not answer as recorded. */
    private static final Map<String, Reason> OTHERWISE = otherwise();

    private static final String TEST_SOURCES = testSources();

    private final HttpClient http = HttpClient.newHttpClient();

    @AfterAll
    void stop() {
        http.close();
    }

    private static Map<String, Reason> otherwise() {
        Map<String, Reason> reasons = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(Path.of("src/test/resources/weaviate/answered-otherwise.txt"))) {
                if (!line.startsWith("#")) {
                    String[] parts = line.split(" +", 2);
                    reasons.put(parts[0], Reason.valueOf(parts[1]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return reasons;
    }

    private static String testSources() {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of("src/test/java/switchboard/backend/weaviate"))) {
            for (Path file : files.toList()) {
                all.append(Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all.toString();
    }

    static Stream<String> claimed() {
        return RECORDINGS.keySet().stream().filter(name -> !OTHERWISE.containsKey(name));
    }

    static Stream<String> listed() {
        return OTHERWISE.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("claimed")
    void answersAsRecorded(String name) throws IOException, InterruptedException {
        Recording recording = recording(name);
        Answer answer = ask(recording);
        assertEquals(recording.status(), answer.status(), answer::toString);
        assertEquals(comparable(recording.answer()), comparable(answer.body()));
    }

    @ParameterizedTest
    @MethodSource("listed")
    void whatIsNotComparedIsListedForAReasonThatHolds(String name) throws IOException, InterruptedException {
        Recording recording = recording(name);
        Answer answer = ask(recording);
        Reason reason = Optional.ofNullable(OTHERWISE.get(name)).orElseThrow();
        assertFalse(
                answer.status() == recording.status()
                        && comparable(answer.body()).equals(comparable(recording.answer())),
                name + " is answered as recorded: claim it");
        switch (reason) {
            case NEVER_SENT -> assertFalse(answer.unexpected().isEmpty(), name + " is answered: " + answer);
            case PLAYED ->
                assertTrue(TEST_SOURCES.matches("(?s).*[^-\\w]" + name + "[^-\\w].*"), name + " is played by no test");
            case ASKED_AGAIN ->
                assertTrue(
                        RECORDINGS.values().stream()
                                .anyMatch(other -> !other.name().equals(name)
                                        && other.path().equals(recording.path())
                                        && other.body().equals(recording.body())
                                        && !other.answer().equals(recording.answer())),
                        name + " was asked only once");
            case ARBITRARY -> {
                assertEquals(recording.status(), answer.status(), answer::toString);
                assertEquals(members(recording.answer()), members(answer.body()));
            }
            case DEFAULTS -> {
                assertEquals(recording.status(), answer.status(), answer::toString);
                assertEquals(asked(recording, recording.answer()), asked(recording, answer.body()));
            }
        }
    }

    /** So that the list does not grow unnoticed. */
    @Test
    void mostRecordingsAreCompared() {
        assertEquals(455, RECORDINGS.size());
        assertTrue(OTHERWISE.size() <= MOST_OTHERWISE, OTHERWISE.size() + " are not compared");
    }

    private static Recording recording(String name) {
        return Optional.ofNullable(RECORDINGS.get(name)).orElseThrow(() -> new AssertionError(name));
    }

    private static List<String> members(JsonNode answer) {
        return answer.propertyStream().map(Map.Entry::getKey).sorted().toList();
    }

    /** What {@code answer} has of what was asked for. */
    private static JsonNode asked(Recording recording, JsonNode answer) {
        ObjectNode asked = Json.object();
        for (String member : List.of("class", "multiTenancyConfig")) {
            if (recording.body().has(member)) {
                asked.set(member, answer.path(member));
            }
        }
        asked.set("names", Json.mapper().valueToTree(answer.path("properties").findValuesAsText("name")));
        asked.set("types", Json.mapper().valueToTree(answer.path("properties").findValues("dataType")));
        return asked;
    }

    /** An answer of the stub; its body is missing where there is none. */
    private record Answer(int status, JsonNode body, List<String> unexpected) {}

    /** Asks a stub of its own, since requests may change what is in it. */
    private Answer ask(Recording recording) throws IOException, InterruptedException {
        try (StubWeaviate stub = new StubWeaviate()) {
            for (String before : StubFixtures.prepare(stub, recording.name())) {
                send(stub, recording(before));
            }
            return send(stub, recording);
        }
    }

    private Answer send(StubWeaviate stub, Recording recording) throws IOException, InterruptedException {
        JsonNode body = recording.body();
        String text = body.isTextual() ? body.asText() : body.isMissingNode() ? "" : Json.text(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(stub.url() + recording.path()))
                .method(recording.method(), HttpRequest.BodyPublishers.ofString(text));
        recording
                .headers()
                .properties()
                .forEach(header ->
                        request.header(header.getKey(), header.getValue().asText()));
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(
                answer.statusCode(),
                answer.body().isEmpty() ? MissingNode.getInstance() : Json.parse(answer.body()),
                stub.unexpected());
    }

    /** What is compared: all of an answer, or the words of a refusal. */
    private static JsonNode comparable(JsonNode answer) {
        if (answer.has("error") || answer.has("errors")) {
            return Json.mapper().valueToTree(messages(answer));
        }
        return steady(answer);
    }

    /** A refusal's words; the random name of a shard does not count, nor what the server would rather suggest. */
    private static List<String> messages(JsonNode answer) {
        return Stream.of(answer.path("error"), answer.path("errors"))
                .flatMap(list -> StreamSupport.stream(list.spliterator(), false))
                .map(error -> error.path("message").asText())
                .map(message -> message.startsWith("msg:offset") || message.startsWith("invalid pagination")
                        ? message.replaceAll("\\. If you.*", "")
                        : message)
                .map(message ->
                        message.replaceAll("in shard \"\\w+\"", "in a shard").replaceAll("\\w+_\\w{12}\\b", "a_shard"))
                .map(message -> message.replaceAll(" Did you mean .*\\?", ""))
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
        // Weaviate makes the ids of objects that were given none.
        if (object.path("properties").path("title").asText().matches("no id|U23")) {
            object.remove("id");
        }
        return object;
    }
}
