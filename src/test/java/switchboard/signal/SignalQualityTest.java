package switchboard.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

/** How often the rules are right: on texts that were written for them, and on ordinary ones. */
class SignalQualityTest {
    private static final Path TEXTS = Path.of("src/test/resources/signals");
    private static final Path DOCS = Path.of("docs/signals.md");

    /** What the held-back half must reach: precision, recall. */
    private static final Map<SignalKind, double[]> FLOORS = Map.of(
            SignalKind.INSTRUCTIONS, new double[] {0.9, 0.8},
            SignalKind.HIDDEN_TEXT, new double[] {0.9, 0.9},
            SignalKind.INVISIBLE_CHARACTERS, new double[] {1, 0.75},
            SignalKind.BIDI_CONTROLS, new double[] {1, 1},
            SignalKind.LOOKALIKE_LINK, new double[] {1, 0.9});

    private record Example(SignalKind kind, boolean marked, String text) {
        boolean found() {
            return TextSignals.of(text).stream().anyMatch(signal -> signal.kind() == kind);
        }
    }

    /** How many texts of a kind are marked, of those that should be and of those that should not. */
    private record Counts(int right, int missed, int falseAlarms, int others) {
        static Counts of(SignalKind kind, List<Example> all) {
            int[] counts = new int[4];
            all.stream()
                    .filter(example -> example.kind() == kind)
                    .forEach(example -> counts[(example.marked() ? 0 : 2) + (example.found() ? 0 : 1)]++);
            return new Counts(counts[0], counts[1], counts[2], counts[3]);
        }

        double precision() {
            return right / (double) (right + falseAlarms);
        }

        double recall() {
            return right / (double) (right + missed);
        }

        String row(SignalKind kind) {
            return String.format(
                    Locale.ROOT,
                    "| `%s` | %d of %d | %d of %d | %.2f | %.2f |",
                    kind.word(),
                    right,
                    right + missed,
                    falseAlarms,
                    falseAlarms + others,
                    precision(),
                    recall());
        }
    }

    private static List<Example> examples(String file) throws IOException {
        List<Example> examples = new ArrayList<>();
        for (String line : Files.readAllLines(TEXTS.resolve(file))) {
            JsonNode one = Json.parse(line.getBytes(StandardCharsets.UTF_8));
            examples.add(new Example(
                    SignalKind.valueOf(one.path("kind").asText().toUpperCase(Locale.ROOT)),
                    one.path("marked").asBoolean(),
                    one.path("text").asText()));
        }
        return examples;
    }

    @Test
    void theHeldBackHalfReachesItsFloorsAndTheDocumentationSaysWhatItReaches() throws IOException {
        List<Example> held = examples("held-back.jsonl");
        String docs = Files.readString(DOCS);
        Map<SignalKind, Counts> counts = new EnumMap<>(SignalKind.class);
        for (SignalKind kind : SignalKind.values()) {
            counts.put(kind, Counts.of(kind, held));
        }
        counts.forEach((kind, count) -> {
            double[] floors = FLOORS.getOrDefault(kind, new double[] {1, 1});
            assertTrue(count.precision() >= floors[0] && count.recall() >= floors[1], () -> kind + ": " + count);
            assertTrue(docs.contains(count.row(kind)), () -> DOCS + " lacks " + count.row(kind));
        });
    }

    @Test
    void bothHalvesHaveTheSameNumbersOfTextsAndNoTextInCommon() throws IOException {
        List<Example> development = examples("development.jsonl");
        List<Example> held = examples("held-back.jsonl");
        Set<String> texts = new HashSet<>();
        Stream.concat(development.stream(), held.stream()).map(Example::text).forEach(texts::add);
        assertEquals(development.size() + held.size(), texts.size());
        for (SignalKind kind : SignalKind.values()) {
            for (boolean marked : new boolean[] {true, false}) {
                assertEquals(number(development, kind, marked), number(held, kind, marked), kind.word());
            }
        }
        assertEquals(40, number(held, SignalKind.INSTRUCTIONS, true));
        assertEquals(40, number(held, SignalKind.INSTRUCTIONS, false));
    }

    private static long number(List<Example> examples, SignalKind kind, boolean marked) {
        return examples.stream()
                .filter(example -> example.kind() == kind && example.marked() == marked)
                .count();
    }

    @Test
    void ordinaryTextsOfTheRepositoryHaveNoMarks() throws IOException {
        List<String> marked = new ArrayList<>();
        int texts = 0;
        for (String set : List.of("code", "docs")) {
            for (String line : Files.readAllLines(Path.of("src/test/resources/judged", set, "corpus.jsonl"))) {
                JsonNode document = Json.parse(line.getBytes(StandardCharsets.UTF_8));
                List<TextSignal> found = TextSignals.of(document.path("title").asText() + "\n"
                        + document.path("text").asText());
                texts++;
                if (!found.isEmpty()) {
                    marked.add(document.path("_id").asText() + " " + found);
                }
            }
        }
        assertEquals(220, texts);
        assertEquals(List.of(), marked);
    }
}
