package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.files.PrivateFiles;
import switchboard.testing.Eventually;
import switchboard.testing.TestGateway;

/** Standing questions of a gateway that was by itself and shares a database now. */
@Tag("engines")
class FormerQuestionsTest extends SharedQuestions {
    private Path watches() {
        return folder.resolve("one").resolve("watches");
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.walk(watches())) {
            return all.filter(file -> file.toString().endsWith(".json")).toList();
        } catch (IOException | UncheckedIOException e) {
            throw new AssertionError(e);
        }
    }

    /** The first one, without the others. */
    private TestGateway alone() throws IOException {
        Path data = folder.resolve("one");
        String yaml = settings(data);
        return TestGateway.start(
                yaml.replaceAll("(?m)^cluster: .*$", "").replace(", store: cluster", ", dataDir: own"), data);
    }

    @Test
    void theyAreTakenOverOnce() throws IOException {
        String kept;
        String ended;
        try (TestGateway alone = alone()) {
            ingest(alone, "barge", "A barge carries grain on the river.");
            kept = ask(alone, "ann", "grain");
            ended = ask(alone, "bob", "coal");
        }
        Map<Path, byte[]> before = new TreeMap<>();
        for (Path file : files()) {
            before.put(file, Files.readAllBytes(file));
        }
        assertEquals(2, before.size(), before::toString);

        TestGateway one = gateway("one");
        TestGateway two = gateway("two");
        for (TestGateway gateway : List.of(one, two)) {
            Eventually.that(
                    () -> ok(gateway, "ann", Json.object()).size() == 1
                            && ok(gateway, "bob", Json.object()).size() == 1,
                    () -> "each has its question: " + ok(gateway, "ann", Json.object()));
            assertEquals("grain", read(gateway, "ann", kept).path("query").asText());
        }
        Eventually.that(() -> files().isEmpty(), () -> "the files are gone: " + files());
        ingest(two, "silo", "Grain is in the silo.");
        news(one, "ann", kept, 1);
        ok(two, "bob", Json.object().put("watch", ended).put("end", true));
        one.close();

        for (Map.Entry<Path, byte[]> file : before.entrySet()) { // as if it had been killed before they went
            Files.createDirectories(file.getKey().getParent());
            Files.write(file.getKey(), file.getValue());
        }
        TestGateway again = gateway("one");
        Eventually.that(() -> files().isEmpty(), () -> "the files are gone again: " + files());
        assertEquals(0, ok(again, "bob", Json.object()).size(), "what has ended stays so");
        assertEquals(1, ok(again, "ann", Json.object()).size());
        news(again, "ann", kept, 1);
        ingest(again, "mill", "Grain is ground in the mill.");
        news(two, "ann", kept, 2);
    }

    @Test
    void whatWasToBeForgottenIsForgotten() throws IOException {
        try (TestGateway alone = alone()) {
            ingest(alone, "barge", "A barge carries grain on the river.");
            ask(alone, "ann", "zanzibar");
            ask(alone, "bob", "grain");
        }
        TestGateway two = gateway("two");
        ingest(two, "barge", "A barge carries grain on the river.");
        ask(two, "ann", "zanzibar in the database");
        Files.writeString(watches().resolve("note.forget"), "{\"team\":\"readers\",\"key\":\"ann\"}");
        Path damaged = files().getFirst().resolveSibling("torn.json" + PrivateFiles.SET_ASIDE);
        Files.writeString(damaged, "zanzibar");
        TestGateway one = gateway("one");
        Eventually.that(() -> ok(one, "bob", Json.object()).size() == 1, () -> "the other question is there");
        Eventually.that(() -> !Files.exists(damaged), () -> "what is damaged may be that of the key");
        Eventually.that(() -> files().isEmpty(), () -> "the files are gone: " + files());
        assertEquals(0, ok(one, "ann", Json.object()).size());
        Eventually.that(() -> !Files.exists(watches().resolve("note.forget")), () -> "the note is done");
        assertFalse(postgres.dump().contains(hex("zanzibar")));
    }
}
