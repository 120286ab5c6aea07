package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.TestGateway;

/** After {@code insight forget} nothing of what was forgotten is in a file or its name, and the rest is as it was, byte for byte. */
class InsightForgetTest extends LoggedTeams {
    @Test
    void whatIsForgottenIsInNoFileAndTheRestStaysAsItIs() {
        String address = searched("full", "grain fullcanary");
        searched("other", "grain othercanary");
        logged("full", 2);
        logged("other", 2);
        String others = bytes(folder.resolve(files("othercanary").getFirst()));
        forget("--team=full");
        assertEquals(List.of(), files("fullcanary"));
        assertEquals(List.of("teams.yaml"), files("full-key"));
        assertEquals(List.of(), files("team-full"), "neither is the name of the team");
        assertEquals(others, bytes(folder.resolve(files("othercanary").getFirst())), "byte for byte");
        assertEquals(1, files(address).size(), "that of the other team");
        forget("--document=" + address);
        gone(address);
        assertEquals(1, files("othercanary").size(), "searches stay");
        gateway.restart();
        assertEquals(List.of(), files("fullcanary"));
        forget("--before=2999-01-31");
        assertEquals(List.of(), files("othercanary"));
    }

    @Test
    void aKeyGoesFromTheFileThatItSharesWithOthers() throws IOException {
        for (int round = 0; round < 3; round++) {
            searched("full", "grain fullcanary " + round);
            searched("full-two", "grain \"twocanary\" für 🛶 " + round);
        }
        logged("full", 12);
        List<String> shared = files("fullcanary");
        assertEquals(shared, files("twocanary"), "in the same file");
        Path file = folder.resolve(shared.getFirst());
        List<String> others = Files.readAllLines(file).stream()
                .filter(line -> line.contains("full-two"))
                .toList();
        forget("--key=full-key");
        assertEquals(List.of(), files("fullcanary"));
        gone("full-key");
        assertEquals(6, others.size());
        assertEquals(others, Files.readAllLines(file), "byte for byte");
    }

    @Test
    void whatIsOlderGoesAndWhatIsNewerStays() {
        String old = asked("full", "grain oldquestion");
        searched("full", "grain oldcanary");
        logged("full", 2);
        Instant between = Instant.now();
        Eventually.that(() -> Instant.now().toEpochMilli() > between.toEpochMilli(), () -> "time stands still");
        searched("full", "grain newcanary");
        String young = asked("full", "grain newquestion");
        logged("full", 4);
        forget("--before=" + between.plusMillis(1));
        gone("oldquestion");
        assertEquals(List.of(), files("oldcanary"));
        assertEquals(1, files("newcanary").size());
        assertEquals(2, lines("full").size());
        assertEquals("grain newquestion", watch("full", young).path("query").asText());
        assertTrue(client("full")
                .call("watch_search", Json.object().put("watch", old))
                .isError());
    }

    /** The very first line, while it can't be written: nothing is there yet that could be forgotten. */
    @Test
    void whatWaitsToBeWrittenIsForgotten() throws IOException {
        Path insight = Files.createDirectory(folder.resolve("insight"));
        Path blocked = Files.createFile(insight.resolve("team-full"));
        searched("full", "grain waitingcanary");
        Eventually.that(() -> Files.exists(insight.resolve("hash.key")), () -> "it is not tried to write");
        forget("--key=full-key");
        Files.delete(blocked);
        searched("full", "grain latercanary");
        logged("full", 2);
        assertEquals(1, files("latercanary").size());
        assertEquals(List.of(), files("waitingcanary"));
        String metrics = gateway.management("/metrics").body();
        assertTrue(metrics.contains("switchboard_insight_lost_total{reason=\"forgotten\"} 2.0"), metrics);
    }

    @Test
    void whatComesLateNamesNothingThatIsForgotten() {
        String address = searched("full", "grain firstcanary");
        logged("full", 2);
        String id = lines("full").getFirst().path("id").asText();
        assertEquals(1, files(id).size());
        forget("--key=full-key");
        read("full", address);
        found("full", "grain secondcanary");
        logged("full", 1);
        JsonNode second = lines("full").getFirst();
        assertFalse(second.has("after"), second::toString);
        assertEquals(List.of(), files(id));
        found("full", "grain thirdcanary");
        logged("full", 2);
        assertEquals(second.path("id"), lines("full").get(1).path("after"), "what was asked since is known");
    }

    @Test
    void standingQuestionsAreForgottenWhileTheGatewayRuns() {
        String own = asked("full", "grain fullquestion");
        String other = asked("other", "grain otherquestion");
        String document = ingest("newstitle", "More grain for the otherquestion");
        JsonNode news = Eventually.first(
                () -> watch("other", other), found -> found.path("news_count").asInt() == 1);
        String address = news.at("/news/0/address").asText();
        ok("full", "delete_document", Json.object().put("doc_id", document));
        assertTrue(forget("--document=" + address).contains("running gateway forgets"));
        gone(address);
        gone("newstitle");
        forget("--key=full-key");
        gone("fullquestion");
        gone("team-full");
        Eventually.that(
                () -> client("full")
                        .call("watch_search", Json.object().put("watch", own))
                        .isError(),
                () -> "its file is gone, and it is still answered");
        assertEquals(1, files("otherquestion").size());
        forget("--team=other", "--before=2001-01-31");
        gateway.restart();
        assertEquals("grain otherquestion", watch("other", other).path("query").asText());
        assertEquals(List.of(), files("fullquestion"));
    }

    @Test
    void standingQuestionsAreForgottenWhileNoGatewayRuns() {
        asked("full", "grain fullquestion");
        String other = asked("other", "grain otherquestion");
        gateway.close();
        String file = files("otherquestion").getFirst();
        String before = bytes(folder.resolve(file));
        assertTrue(forget("--team=full").contains("1 standing questions are gone"));
        assertEquals(List.of(), files("fullquestion"));
        assertEquals(List.of(), files("team-full"));
        assertEquals(before, bytes(folder.resolve(file)), "byte for byte");
        gateway = TestGateway.start(yaml(), folder);
        assertEquals("active", watch("other", other).path("status").asText());
        gateway.close();
        assertTrue(forget("--before=2999-01-31").contains("1 standing questions are gone"));
        assertEquals(List.of(), files("otherquestion"));
    }

    /** Makes the file of a question one that can't be read. */
    private void damage(String canary) throws IOException {
        Path file = folder.resolve(files(canary).getFirst());
        Files.writeString(file, Files.readString(file).replaceFirst("\"grain[^\"]*\"", canary));
    }

    @Test
    void aDamagedQuestionIsForgottenWithWhateverIsForgottenOfItsTeam() throws IOException {
        asked("full", "grain fullquestion");
        asked("other", "grain otherquestion");
        gateway.close();
        damage("fullquestion");
        damage("otherquestion");
        gateway = TestGateway.start(yaml(), folder);
        for (String canary : List.of("fullquestion", "otherquestion")) {
            assertTrue(files(canary).getFirst().endsWith(".damaged"), () -> files(canary)
                    .toString());
        }
        forget("--team=full");
        gone("fullquestion");
        assertEquals(1, files("otherquestion").size());
        gateway.close();
        assertTrue(forget("--key=other-key").contains("1 standing questions are gone"));
        assertEquals(List.of(), files("otherquestion"));
    }

    /** Commands leave nothing of what they were told: neither in a note nor in a draft. */
    @Test
    void notesNameNobodyOnceItIsDone() throws IOException {
        searched("full", "grain fullcanary");
        asked("full", "grain fullquestion");
        logged("full", 2);
        Path team = folder.resolve(files("fullcanary").getFirst()).getParent();
        Files.writeString(team.resolve("20260101T000000.000Z.jsonl.new"), "a draft with draftcanary");
        forget("--team=full", "--key=full-key");
        gone("full-key");
        gone("team-full");
        assertEquals(List.of(), files("draftcanary"));
        try (Stream<Path> all = Files.walk(folder.resolve("insight"))) {
            assertTrue(all.noneMatch(file -> bytes(file).contains("full")), "the note has hashes");
        }
    }
}
