package switchboard.insight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.insight.InsightSettings.QueryDetail;
import switchboard.insight.InsightSettings.TeamInsight;
import switchboard.testing.ObservedFiles;

/** Files of the search log: nothing is lost, torn or written twice, and what is forgotten or too old is gone. */
class TeamFilesTest {
    private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
    private static final TeamInsight SETTINGS = new TeamInsight(QueryDetail.FULL, Duration.ofDays(16), 1 << 20);

    @TempDir
    Path folder;

    private static TeamLine line(int number, Instant time) {
        String json = "{\"event\":\"search\",\"id\":\"s%d\",\"time\":\"%s\",\"team\":\"red\",\"key\":\"k%d\"}\n"
                .formatted(number, time, number % 3);
        return new TeamLine("red", time, json.getBytes(StandardCharsets.UTF_8));
    }

    private static List<JsonNode> lines(TeamFiles files) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (Path file : files.paths()) {
            lines.addAll(TeamFiles.lines(file));
        }
        return lines;
    }

    private static long forget(TeamFiles files, Forgetting forgetting) throws IOException {
        long changed = 0;
        for (Path file : files.paths()) {
            changed += TeamFiles.forget(file, forgetting);
        }
        return changed;
    }

    private static List<String> ids(TeamFiles files) throws IOException {
        List<String> ids = new ArrayList<>();
        for (JsonNode line : lines(files)) {
            ids.add(line.path("id").asText());
        }
        return ids;
    }

    private List<Path> parts() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    @Test
    void aFileHasAPartOfTheTimeSoThatNothingIsOlderThanItMayBe() throws IOException {
        TeamFiles files = new TeamFiles(folder);
        for (int day = 0; day < 20; day++) {
            files.append(
                    List.of(line(day, START.plus(Duration.ofDays(day)))), SETTINGS, START.plus(Duration.ofDays(day)));
        }
        assertEquals(20, parts().size());
        files.tidy(SETTINGS, START.plus(Duration.ofDays(19)));
        assertEquals(IntStream.range(3, 20).mapToObj(day -> "s" + day).toList(), ids(files));
        files.tidy(SETTINGS, START.plus(Duration.ofDays(19)).plusMillis(1));
        assertEquals("s4", ids(files).getFirst());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(parts().getFirst())));
    }

    @Test
    void theOldestGoWhileAllAreTooLarge() throws IOException {
        TeamInsight small = new TeamInsight(QueryDetail.FULL, Duration.ofDays(16), 2000);
        TeamFiles files = new TeamFiles(folder);
        for (int i = 0; i < 40; i++) {
            files.append(List.of(line(i, START.plusSeconds(i))), small, START.plusSeconds(i));
        }
        files.tidy(small, START.plusSeconds(40));
        long bytes = 0;
        for (Path part : parts()) {
            bytes += Files.size(part);
        }
        assertTrue(bytes <= 2000 && bytes > 1800, "there are " + bytes);
        List<String> left = ids(files);
        assertEquals("s39", left.getLast());
        assertEquals(
                IntStream.range(40 - left.size(), 40).mapToObj(i -> "s" + i).toList(), left);
    }

    @Test
    void aTornLineOfAKilledProcessGoesWithTheNextOne() throws IOException {
        TeamFiles files = new TeamFiles(folder);
        files.append(List.of(line(1, START)), SETTINGS, START);
        Files.write(
                parts().getFirst(), new byte[] {'{', '"', (byte) 0xC3}, StandardOpenOption.APPEND); // half of an umlaut
        assertEquals(List.of("s1"), ids(files));
        files.append(List.of(line(2, START)), SETTINGS, START);
        assertEquals(List.of("s1", "s2"), ids(files));
        assertFalse(Files.readString(parts().getFirst()).contains("{\"{"));
    }

    @Test
    void aFullDiskLeavesNoPartOfALine() throws IOException {
        ObservedFiles disk = new ObservedFiles();
        TeamFiles files = new TeamFiles(disk.path(folder));
        files.append(List.of(line(1, START)), SETTINGS, START);
        disk.room(30);
        List<TeamLine> more = List.of(line(2, START), line(3, START));
        assertThrows(IOException.class, () -> files.append(more, SETTINGS, START));
        assertEquals(line(1, START).line().length, Files.size(parts().getFirst()));
        disk.room(Long.MAX_VALUE);
        files.append(more, SETTINGS, START);
        assertEquals(List.of("s1", "s2", "s3"), ids(new TeamFiles(folder)));
    }

    @Test
    void whatIsForgottenMeetsAllThatIsGiven() throws IOException {
        TeamFiles files = new TeamFiles(folder);
        for (int i = 0; i < 9; i++) {
            files.append(List.of(line(i, START.plusSeconds(i))), SETTINGS, START.plusSeconds(i));
        }
        assertEquals(0, forget(files, new Forgetting("blue", null, null, null)));
        assertEquals(0, forget(files, new Forgetting("red", "k9", null, null)));
        assertEquals(2, forget(files, new Forgetting("red", "k1", null, START.plusSeconds(5))));
        assertEquals(List.of("s0", "s2", "s3", "s5", "s6", "s7", "s8"), ids(files));
        assertEquals(3, forget(files, new Forgetting(null, "k0", null, null)));
        assertEquals(List.of("s2", "s5", "s7", "s8"), ids(files));
        assertEquals(4, forget(files, new Forgetting("red", null, null, null)));
        assertEquals(List.of(), parts());
    }

    @Test
    void aForgottenDocumentGoesFromTheHitsAndItsUsesGoWhole() throws IOException {
        TeamFiles files = new TeamFiles(folder);
        String lines = """
                {"event":"search","id":"s1","time":"2026-11-01T00:00:00Z","team":"red","key":"k","hits":[{"address":"switchboard://a/b/one","position":1},{"address":"switchboard://a/b/two","position":2}]}
                {"event":"fetched","search":"s1","time":"2026-11-01T00:00:01Z","team":"red","key":"k","address":"switchboard://a/b/one","position":1}
                {"event":"fetched","search":"s1","time":"2026-11-01T00:00:02Z","team":"red","key":"k","address":"switchboard://a/b/two","position":2}
                """;
        files.append(List.of(new TeamLine("red", START, lines.getBytes(StandardCharsets.UTF_8))), SETTINGS, START);
        assertEquals(2, forget(files, new Forgetting(null, null, "switchboard://a/b/one", null)));
        List<JsonNode> left = lines(files);
        assertEquals(2, left.size());
        assertEquals(
                "[{\"address\":\"switchboard://a/b/two\",\"position\":2}]",
                left.get(0).path("hits").toString());
        assertEquals("switchboard://a/b/two", left.get(1).path("address").asText());
        assertFalse(Files.readString(parts().getFirst()).contains("b/one"));
    }

    @Test
    void linesThatAreGivenAgainAfterAFailureAreWrittenOnce() throws IOException {
        InsightSettings settings = new InsightSettings(Map.of("*", SETTINGS));
        InsightFolder log = new InsightFolder(folder);
        Path blue = Files.createDirectories(folder.resolve("insight")).resolve("team-blue");
        Files.writeString(blue, "in the way");
        TeamLine red = line(1, START);
        TeamLine other = new TeamLine("blue", START, line(2, START).line());
        assertThrows(IOException.class, () -> log.append(List.of(red, other), settings, START));
        Files.delete(blue);
        assertEquals(
                0,
                log.append(List.of(red, other, line(3, START)), settings, START).forgotten());
        assertEquals(List.of("s1", "s3"), ids(new TeamFiles(folder.resolve("insight/team-red"))));
        assertEquals(List.of("s2"), ids(new TeamFiles(blue)));
    }

    @Test
    void whatWaitsWhileItIsForgottenIsNotWritten() throws IOException {
        InsightSettings settings = new InsightSettings(Map.of("*", SETTINGS));
        InsightFolder log = new InsightFolder(folder);
        log.append(List.of(line(1, START)), settings, START);
        assertEquals(
                1, new InsightFolder(folder).forget(new Forgetting("red", null, null, null), START.plusSeconds(9)));
        assertEquals(
                1,
                log.append(List.of(line(2, START.plusSeconds(8)), line(3, START.plusSeconds(10))), settings, START)
                        .forgotten());
        assertEquals(List.of("s3"), ids(new TeamFiles(folder.resolve("insight/team-red"))));
    }

    @Test
    void whatIsForgottenOfOneTeamKeepsTheLinesOfOthersAndTheNoteNamesNobody() throws IOException {
        InsightSettings settings = new InsightSettings(Map.of("*", SETTINGS));
        InsightFolder log = new InsightFolder(folder);
        log.append(List.of(line(1, START)), settings, START);
        new InsightFolder(folder).forget(new Forgetting("red", "k2", null, null), START.plusSeconds(9));
        assertEquals(
                1,
                log.append(
                                List.of(line(2, START.plusSeconds(8)), line(4, START.plusSeconds(8))),
                                settings,
                                START.plusSeconds(9))
                        .forgotten());
        assertEquals(List.of("s1", "s4"), ids(new TeamFiles(folder.resolve("insight/team-red"))));
        String note = Files.readString(folder.resolve("insight/forgotten"));
        assertFalse(note.contains("red") || note.contains("k2"), note);
        log.tidy(settings, START.plus(Duration.ofDays(6)));
        assertTrue(Files.exists(folder.resolve("insight/forgotten")), "lines may wait for long");
        log.tidy(settings, START.plus(Duration.ofDays(8)));
        assertFalse(Files.exists(folder.resolve("insight/forgotten")));
    }

    @Test
    void aClockThatWasAheadKeepsNothingForLonger() throws IOException {
        TeamFiles files = new TeamFiles(folder);
        Instant ahead = START.plus(Duration.ofDays(1000));
        files.append(List.of(line(1, ahead)), SETTINGS, ahead);
        files.append(List.of(line(2, START)), SETTINGS, START);
        files.append(List.of(line(3, START)), SETTINGS, START);
        assertEquals(2, parts().size());
        files.tidy(SETTINGS, START.plusSeconds(1));
        files.tidy(SETTINGS, START.plus(Duration.ofDays(17)));
        assertEquals(List.of(), parts());
    }

    @Test
    void aTornLineIsForgottenWithWhateverIsForgotten() throws IOException {
        TeamFiles files = new TeamFiles(folder);
        files.append(List.of(line(1, START), line(2, START)), SETTINGS, START);
        Files.write(parts().getFirst(), new byte[] {'{', '"', (byte) 0xE6, (byte) 0xB8}, StandardOpenOption.APPEND);
        assertEquals(2, forget(files, new Forgetting("red", "k1", null, null)), "the line, and what is torn");
        assertEquals(List.of("s2"), ids(files));
    }

    @Test
    void aHalfDoneReplacementIsRemoved() throws IOException {
        TeamFiles files = new TeamFiles(folder);
        files.append(List.of(line(1, START)), SETTINGS, START);
        Path draft = Path.of(parts().getFirst() + ".new");
        Files.writeString(draft, "a query");
        files.tidy(SETTINGS, START);
        assertFalse(Files.exists(draft));
    }
}
