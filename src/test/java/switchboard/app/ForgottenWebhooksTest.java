package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HandClock;
import switchboard.testing.TestGateway;

/** Messages that wait for a receiver, of who is forgotten or gone: they are in no file any more, and are not sent. */
class ForgottenWebhooksTest extends LoggedTeams {
    private static final Duration LATER = Duration.ofMinutes(10);

    private final HandClock clock = HandClock.ticking(Instant.now());

    @Override
    Clock clock() {
        return clock;
    }

    @BeforeEach
    void twoMessagesWait() {
        for (String team : List.of("full", "other")) {
            receiver.answers("/of-" + team, 500);
            String watch = asked(
                    team,
                    Json.object().put("query", "grain " + team + "question").put("webhook", hook("/of-" + team)));
            assertEquals("waiting", watch(team, watch).at("/webhook/status").asText());
        }
        ingest("silotitle", "Grain is in the silo.");
        for (String team : List.of("full", "other")) {
            Eventually.that(() -> state(team).equals("retrying"), () -> state(team));
            assertEquals(1, receiver.at("/of-" + team).size());
        }
        assertEquals(2, files("silotitle").size());
    }

    private String state(String team) {
        return ok(team, "watch_search", Json.object())
                .structured()
                .at("/watches/0/webhook/status")
                .asText();
    }

    /** The other team's message goes out when its time has come, and the one before it does not. */
    private void onlyTheOtherIsSent() {
        clock.forward(LATER);
        Eventually.that(() -> receiver.at("/of-other").size() == 2, () -> "the other message is not sent");
        assertEquals("delivered", Eventually.first(() -> state("other"), "delivered"::equals));
        assertEquals(1, receiver.at("/of-full").size());
    }

    private void nothingIsLeft() {
        gone("fullquestion");
        gone("/of-full");
        gone("full-key");
        assertEquals(1, in("silotitle").size(), "that of the other team");
    }

    @Test
    void ofAForgottenKey() {
        forget("--key=full-key");
        nothingIsLeft();
        onlyTheOtherIsSent();
    }

    @Test
    void ofAForgottenTeamWhoseGatewayIsDownMeanwhile() {
        gateway.close();
        forget("--team=full");
        nothingIsLeft();
        gateway = TestGateway.start(yaml(), folder, clock);
        onlyTheOtherIsSent();
    }

    @Test
    void ofARevokedKey() throws IOException {
        Map<String, ApiKey> left = new TreeMap<>(keys);
        left.remove("full-key");
        members(left);
        gone("fullquestion");
        gone("/of-full");
        assertEquals(1, in("silotitle").size(), "that of the other team");
        onlyTheOtherIsSent();
        assertEquals(
                List.of(),
                in("full-key").stream()
                        .filter(file -> file.startsWith("watches"))
                        .toList());
    }

    @Test
    void ofAForgottenDocument() throws IOException {
        JsonNode message = Json.parse(receiver.at("/of-full").getFirst().body());
        String address = message.at("/data/news/0/address").asText();
        ok(
                "full",
                "delete_document",
                Json.object().put("doc_id", message.at("/data/news/0/document").asText()));
        forget("--document=" + address);
        gone("silotitle");
        gone(address);
        clock.forward(LATER);
        ingest("milltitle", "Grain is ground in the mill.");
        for (String team : List.of("full", "other")) {
            Eventually.that(() -> receiver.at("/of-" + team).size() == 2, () -> "nothing is sent");
            String body = receiver.at("/of-" + team).getLast().body();
            assertEquals("milltitle", Json.parse(body).at("/data/news/0/title").asText(), body);
            assertEquals(1, Json.parse(body).at("/data/news").size(), body);
        }
    }
}
