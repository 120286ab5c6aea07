package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import switchboard.auth.ApiKey;
import switchboard.backend.vectordb.UnhurriedVectordb;
import switchboard.testing.HandClock;
import switchboard.testing.LongRun;
import switchboard.testing.TestGateway;
import switchboard.testing.TwoTeams;

/** Two teams on one embedded store: each gets, byte for byte but for the ids, what it would get alone. */
class TwoTeamsTest {
    private static final int OPERATIONS = LongRun.times(2_000, 10_000);

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final Map<String, ApiKey> keys = TwoTeams.OWNERS.stream()
            .collect(Collectors.toMap(team -> team, team -> ApiKey.generate(new SecureRandom())));

    /** In memory where there is such a place: what is shown here does not depend on a disk, and the test waits for it. */
    @TempDir(factory = InMemory.class)
    Path folder;

    @Test
    void eachTeamGetsWhatItWouldGetAlone() throws IOException {
        try (TestGateway both = start("both", TwoTeams.OWNERS);
                TestGateway red = start("red", List.of("red"));
                TestGateway blue = start("blue", List.of("blue"))) {
            // The clock stands still while both teams do what they do, and gives the order of their changes.
            new TwoTeams(
                            OPERATIONS,
                            () -> clock.forward(Duration.ofSeconds(1)),
                            (call, answer, alone, _) -> assertEquals(answer, alone, call::toString))
                    .perform(clients("red", both, red), clients("blue", both, blue));
        }
    }

    private TestGateway start(String name, List<String> teams) throws IOException {
        Path data = Files.createDirectories(folder.resolve(name));
        Files.writeString(
                data.resolve("teams.yaml"),
                teams.stream()
                        .map(team -> """
                                  %1$s:
                                    keys: [{id: %1$s1, sha256: %2$s}]
                                    grants: ["vectordb:*"]
                                    bindings: {vectordb: {owner: %1$s}}
                                """.formatted(team, keys.get(team).sha256()))
                        .collect(Collectors.joining("", "teams:\n", "")));
        return TestGateway.start(
                """
                auth: {mode: keys}
                audit: {to: none}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """, data, modelServices -> List.of(UnhurriedVectordb.module(modelServices.embedders())), clock);
    }

    private TwoTeams.TeamClients clients(String team, TestGateway both, TestGateway alone) {
        String bearer = "Bearer " + keys.get(team).text();
        return new TwoTeams.TeamClients(
                both.modern().with("Authorization", bearer), alone.modern().with("Authorization", bearer));
    }

    /** Folders of Linux's file system in memory; elsewhere the usual ones. */
    static final class InMemory implements TempDirFactory {
        private static final Path MEMORY = Path.of("/dev/shm");

        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, "switchboard-test")
                    : Files.createTempDirectory("switchboard-test");
        }
    }
}
