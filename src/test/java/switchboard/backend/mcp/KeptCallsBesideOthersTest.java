package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.auth.ApiKey;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;

/** Kept calls beside others: questions that nobody answers, answers that are lost, bounds, and sessions that end early. */
class KeptCallsBesideOthersTest extends KeptCallsFixture {
    private long got(String method) {
        return received().stream()
                .filter(message -> message.path("method").asText().equals(method))
                .count();
    }

    /** A question that belongs to no call's stream, twice, and nobody answers; the next call is asked, and so are the first ones. */
    @ParameterizedTest
    @EnumSource(Wire.class)
    void questionsThatNobodyAnswersDoNotSilenceTheNextCall(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        List<JsonNode> asked = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            JsonNode next = client.result("tools/call", call("folders"));
            assertEquals("roots/list", question(next).path("method").asText());
            asked.add(next);
        }
        for (JsonNode one : asked.reversed()) {
            JsonNode done = client.result("tools/call", answering(call("folders"), one, FOLDERS));
            assertTrue(text(done).contains("file:///here"), done::toString);
        }
    }

    @Test
    void anAnswerNeedsNoneOfThePoolsConnections() throws IOException {
        start(Wire.HTTP, ", connection: {pool: {size: 1}}");
        McpTestClient client = able(red);
        JsonNode asked = client.result("tools/call", call("ask"));
        assertTrue(text(client.result("tools/call", answering(call("ask"), asked, FORM)))
                .contains("Zoë"));
    }

    @Test
    void aCallWhoseAnswerTheServerRefusesEndsAndSaysSo() throws IOException {
        start(Wire.HTTP, "");
        McpTestClient client = able(red);
        JsonNode asked = client.result("tools/call", call("ask"));
        http.refuseAnswers();
        JsonNode failed = client.result("tools/call", answering(call("ask"), asked, FORM));
        assertTrue(failed.path("isError").asBoolean(), failed::toString);
        assertTrue(text(failed).contains("400"), failed::toString);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> got("notifications/cancelled") == 1,
                () -> "the server was not told: " + received());
        assertTrue(text(client.result("tools/call", answering(call("ask"), asked, FORM)))
                .contains("is gone"));
    }

    @Test
    void aCallThatIsCutShortIsCancelledAndItsSessionReplaced() throws IOException {
        start(Wire.HTTP, "");
        McpTestClient client = able(red);
        client.result("tools/call", call("runs"));
        long sessions = got("initialize");
        JsonNode cut = client.result("tools/call", call("cut"));
        assertTrue(text(cut).contains("ended the stream"), cut::toString);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> got("notifications/cancelled") == 1,
                () -> "the server was not told: " + received());
        assertEquals(
                "roots/list",
                question(client.result("tools/call", call("folders")))
                        .path("method")
                        .asText());
        assertEquals(sessions + 1, got("initialize"));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void whatIsAnnouncedInACallersSessionIsHeard(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        client.result("tools/call", call("runs"));
        long read = got("tools/list");
        client.result("tools/call", call("announce"));
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> got("tools/list") > read,
                () -> "the lists were not read again: " + received());
    }

    /** Half of the processes, or one call over all: the one that waits longest ends, never the one that begins to wait. */
    @ParameterizedTest
    @EnumSource(Wire.class)
    void theOldestOfAllEndsAndNotTheNewest(Wire how) throws IOException {
        start(how, how == Wire.HTTP ? ", questions: {most: 1}" : ", process: {most: 3}");
        for (ApiKey key : List.of(blue, red)) {
            JsonNode first = able(key).result("tools/call", call("ask"));
            ApiKey next = key.equals(red) ? blue : red;
            JsonNode second = able(next).result("tools/call", call("ask"));
            String gone = text(able(key).result("tools/call", answering(call("ask"), first, FORM)));
            assertTrue(gone.contains("is gone"), gone);
            String done = text(able(next).result("tools/call", answering(call("ask"), second, FORM)));
            assertTrue(done.contains("Zoë"), done);
        }
    }
}
