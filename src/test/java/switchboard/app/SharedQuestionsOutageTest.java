package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.HookReceiver;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Standing questions of gateways that share a database, while gateways stop, are killed, or can't reach it. */
@Tag("engines")
class SharedQuestionsOutageTest extends SharedQuestions {
    /** The one of {@code both} that asks the questions. */
    private TestGateway asking() {
        return gateways.get(whoAsks());
    }

    private static TestGateway other(List<TestGateway> both, TestGateway one) {
        return both.get(1 - both.indexOf(one));
    }

    @Test
    void whileTheDatabaseIsAwayTheToolSaysSoAndThenItGoesOn() throws IOException {
        List<TestGateway> both = two();
        String watch = ask(both.getFirst(), "ann", "grain");
        ingest(both.getLast(), "canal", "Grain goes by canal.");
        news(both.getFirst(), "ann", watch, 1);
        postgres.kill();
        for (TestGateway gateway : both) {
            for (ObjectNode arguments : List.of(
                    Json.object(),
                    Json.object().put("watch", watch),
                    Json.object().put("query", "coal"),
                    Json.object().put("watch", watch).put("end", true))) {
                ToolResult refused = client(gateway, "ann").call("watch_search", arguments);
                assertTrue(refused.isError(), refused::toString);
                assertTrue(refused.toString().contains("the database that the gateways share"), refused::toString);
            }
        }
        postgres.restart();
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> !client(both.getFirst(), "ann")
                                .call("watch_search", Json.object())
                                .isError()
                        && !client(both.getLast(), "feed")
                                .call(
                                        "ingest_text",
                                        Json.object()
                                                .put("content", "Grain is in the silo.")
                                                .put("source", "silo"))
                                .isError(),
                () -> "the database is back");
        assertEquals(1, ok(both.getLast(), "ann", Json.object()).size(), "what was refused was not done");
        news(both.getFirst(), "ann", watch, 2);
    }

    @Test
    void whenTheGatewayThatAsksStopsTheOtherGoesOn() throws IOException {
        List<TestGateway> both = two();
        TestGateway asking = asking();
        TestGateway other = other(both, asking);
        String watch = ask(other, "ann", "grain");
        ingest(other, "canal", "Grain goes by canal.");
        news(other, "ann", watch, 1);
        asking.close();
        ingest(other, "silo", "Grain is in the silo.");
        news(other, "ann", watch, 2);
        TestGateway third = gateway("three");
        other.close();
        ingest(third, "mill", "Grain is ground in the mill.");
        JsonNode found = news(third, "ann", watch, 3);
        assertEquals("active", found.path("status").asText());
    }

    @Test
    void aKilledGatewayLosesNoNewsAndDoublesNone() throws IOException {
        for (String name : List.of("red", "blue")) {
            Path data = Files.createDirectories(folder.resolve(name));
            Path config = Files.writeString(data.resolve("switchboard.yaml"), settings(data));
            processes.put(
                    name,
                    GatewayProcess.start(new GatewayProcess.Launch(config, data, "512m", 0))
                            .ready());
        }
        String name = whoAsks();
        GatewayProcess asking = processes.get(name);
        GatewayProcess other = processes.get(name.equals("red") ? "blue" : "red");
        McpTestClient feedOfAsking = asker(asking.url(), "feed").client();
        McpTestClient feedOfOther = asker(other.url(), "feed").client();
        ingest(feedOfAsking, "before", "Grain of before.");
        String watch = asker(asking.url(), "ann")
                .ask(Json.object().put("query", "grain").put("limit", 100));
        for (int i = 0; i < 4; i++) {
            ingest(i % 2 == 0 ? feedOfAsking : feedOfOther, "document " + i, "Grain of the sort " + i + ".");
        }
        asking.kill(); // with some luck while the question is asked again
        ingest(feedOfOther, "document 4", "Grain of the sort 4.");
        Asker ann = asker(other.url(), "ann");
        news(ann, watch, 5);
        assertNotEquals(name, whoAsks());
        ingest(feedOfOther, "document 5", "Grain of the sort 5.");
        news(ann, watch, 6);
    }

    @Test
    void webhooksAreToldOnceWhicheverGatewayAsks() throws IOException {
        try (HookReceiver receiver = new HookReceiver(SECRET)) {
            more = ", webhooks: {hosts: [\"127.0.0.1:%d\"], secret: '${file:FOLDER/hook.key}', allowPrivate: true}"
                    .formatted(receiver.port());
            List<TestGateway> both = two();
            TestGateway asking = asking();
            TestGateway other = other(both, asking);
            asker(other, "ann")
                    .ask(Json.object()
                            .put("query", "grain")
                            .put("webhook", "http://127.0.0.1:" + receiver.port() + "/hook"));
            ingest(other, "canal", "Grain goes by canal.");
            Eventually.that(() -> receiver.at("/hook").size() == 1, () -> "the first message");
            receiver.answers("/hook", 503);
            ingest(asking, "silo", "Grain is in the silo.");
            Eventually.that(() -> receiver.at("/hook").size() == 2, () -> "a message that is refused");
            asking.close();
            List<HookReceiver.Received> all = Eventually.first(
                    Eventually.OF_A_PROCESS, () -> receiver.at("/hook"), received -> received.size() > 2);
            ingest(other, "mill", "Grain is ground in the mill.");
            List<String> ids = Eventually.first(
                            Eventually.OF_A_PROCESS, () -> receiver.at("/hook"), received -> received.size() > 3)
                    .stream()
                    .map(HookReceiver.Received::id)
                    .toList();
            assertEquals(4, ids.size());
            assertEquals(all.get(1).id(), all.get(2).id(), "the same message again");
            assertEquals(3, ids.stream().distinct().count());
        }
    }
}
