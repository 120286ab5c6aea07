package switchboard.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.Principal;
import switchboard.auth.TokenGrant;
import switchboard.call.Json;

/** What is kept of standing questions, and what is not lost with a bad file. */
class WatchFolderTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final StandingQuestion QUESTION = new StandingQuestion("grain", List.of(), null, 10, 0, null, null);

    @TempDir
    Path data;

    private static Watch watch(String team) {
        return Watch.begin(
                new Principal(team, "ann", List.of()), "", QUESTION, new WatchReply(List.of(), Set.of()), NOON);
    }

    private Path file(Watch watch) {
        return data.resolve("watches").resolve("team-" + watch.owner().team()).resolve(watch.name() + ".json");
    }

    @Test
    void oneBadFileTakesNoOtherAlong() throws IOException {
        WatchFolder folder = new WatchFolder(data);
        Watch good = watch("feeds.json"); // its folder ends as files do
        folder.write(good);
        for (String lacking : List.of("question", "times", "answers", "owner", "view")) {
            Watch bad = watch("red");
            folder.write(bad);
            ObjectNode json = (ObjectNode) Json.parse(Files.readAllBytes(file(bad)));
            json.remove(lacking);
            Files.write(file(bad), Json.bytes(json));
        }
        Path draft = file(good).resolveSibling("killed.json.new");
        Files.writeString(draft, "{");
        assertEquals(List.of(good), folder.read());
        assertFalse(Files.exists(draft), "what a killed process has left");
        assertEquals(List.of(good), folder.read(), "the others are set aside");
        folder.remove(good);
        assertEquals(List.of(), folder.read());
    }

    @Test
    void aNewTokenCountsWheneverItIsUsed() {
        Principal asker = new Principal("red", "jwt:ann", List.of())
                .by(new TokenGrant(
                        Set.of("search"), NOON.plusSeconds(600), URI.create("https://gateway.example/meta"), Map.of()));
        Watch begun = Watch.begin(asker, "", QUESTION, new WatchReply(List.of(), Set.of()), NOON);
        assertEquals(NOON.toEpochMilli(), begun.token().seen());
        Instant later = NOON.plusSeconds(50);
        assertEquals(later.toEpochMilli(), begun.usedBy(asker, later).token().seen());
        assertEquals(begun, begun.usedBy(asker, NOON.plusSeconds(1)), "not each of many reads is written");
    }

    @Test
    void whatComesLateOfAnotherQuestionPutsNoneToSleep() {
        Watch asked = watch("red");
        StandingQuestion other = new StandingQuestion("coal", List.of(), null, 10, 0, null, null);
        Watch changed = asked.asking(
                new Principal("red", "ann", List.of()), "", other, new WatchReply(List.of(), Set.of()), NOON);
        assertEquals(changed, changed.asleep(asked, "a bad filter", NOON));
        assertNotEquals(changed, changed.asleep(changed, "a bad filter", NOON));
        assertTrue(changed.asleep(changed, "a bad filter", NOON).reason().contains("filter"));
    }
}
