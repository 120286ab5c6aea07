package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import switchboard.testing.HttpWire;
import switchboard.testing.RpcSpec;
import switchboard.testing.TestServer;
import switchboard.testing.logs.AsksForErrors;

/** The wire spec files over real HTTP. */
class WireSpecTest {
    private static TestServer server;
    private static HttpWire wire;

    @BeforeAll
    static void start() {
        server = TestServer.start();
        wire = new HttpWire(server.port());
    }

    @AfterAll
    static void stop() {
        wire.close();
        server.close();
    }

    @AsksForErrors("BackendVerticle - call .* failed")
    @TestFactory
    Stream<DynamicTest> everyCaseHolds() throws IOException {
        return RpcSpec.all().stream().map(spec -> DynamicTest.dynamicTest(spec.toString(), () -> replay(spec)));
    }

    private static void replay(RpcSpec spec) throws IOException, InterruptedException {
        Map<String, String> captured = new HashMap<>();
        int number = 0;
        for (JsonNode step : spec.steps()) {
            number++;
            JsonNode expect = step.path("expect");
            int messages = expect.path("events").size() + (expect.has("body") ? 1 : 0);
            RpcSpec.Reply reply = wire.send(RpcSpec.request(step, captured), messages);
            assertEquals(List.of(), RpcSpec.check(step, reply, captured), "step " + number);
        }
    }
}
