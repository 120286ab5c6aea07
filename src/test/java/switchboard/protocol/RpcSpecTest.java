package switchboard.protocol;

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
import switchboard.auth.Principal;
import switchboard.testing.RecordingSink;
import switchboard.testing.RpcSpec;
import switchboard.testing.TestServer;
import switchboard.testing.logs.AsksForErrors;

/** The wire spec files against the protocol core, without HTTP. */
class RpcSpecTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AsksForErrors("BackendVerticle - call .* failed")
    @TestFactory
    Stream<DynamicTest> everyCaseHolds() throws IOException {
        return RpcSpec.all().stream().map(spec -> DynamicTest.dynamicTest(spec.toString(), () -> replay(spec)));
    }

    private static void replay(RpcSpec spec) throws IOException {
        Map<String, String> captured = new HashMap<>();
        int number = 0;
        for (JsonNode step : spec.steps()) {
            number++;
            RecordingSink sink = send(RpcSpec.request(step, captured)).await();
            RpcSpec.Reply reply =
                    new RpcSpec.Reply(sink.status(), name -> sink.headers().get(name), sink.events(), sink.bytes());
            assertEquals(List.of(), RpcSpec.check(step, reply, captured), "step " + number);
        }
    }

    private static RecordingSink send(RpcSpec.Request request) {
        String view = request.path().equals("/mcp") ? "" : request.path().substring("/mcp/".length());
        InboundMessage inboundMessage = new InboundMessage(
                view, "http", Principal.anonymous(), name -> request.headers().get(name), request.body());
        RecordingSink sink = new RecordingSink();
        switch (request.method()) {
            case "GET" -> server.endpoint().get(inboundMessage, sink);
            case "DELETE" -> server.endpoint().delete(inboundMessage, sink);
            default -> server.endpoint().post(inboundMessage, sink);
        }
        return sink;
    }
}
