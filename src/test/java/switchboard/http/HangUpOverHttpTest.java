package switchboard.http;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.protocol.legacy.ResumeLimits;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestServer;

/** A client of the legacy era that hangs up: its backend hears of it within seconds. */
class HangUpOverHttpTest {
    /** Answers that can be taken up again are those that became streams. */
    private static final ResumeLimits NEVER_A_STREAM =
            new ResumeLimits(Duration.ofHours(1), null, Duration.ofSeconds(1), Duration.ofMinutes(2), 256, 256 << 10);

    private TestServer server;

    @BeforeEach
    void start() {
        server = TestServer.start(TestServer.Setup.DEFAULT.resume(NEVER_A_STREAM));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "2025-06-18, 'application/json, text/event-stream'",
        "2025-06-18, application/json",
        "2025-11-25, application/json",
        "2025-11-25, 'application/json, text/event-stream'"
    })
    void aCallThatNobodyCanBeAnsweredEndsPromptly(String version, String accept) {
        String session = McpTestClient.legacy(server.uri("/mcp"), version).session();
        RawHttp call = hold(session, accept);
        Eventually.that(() -> server.toy().running() == 1, () -> "the call is under way");
        call.reset();
        Eventually.that(() -> server.toy().cancelled() == 1, () -> "the backend is told");
        Eventually.that(() -> server.dispatcher().inFlight() == 0, () -> "the call is over");
        Eventually.that(() -> server.dispatcher().permitsTaken() == 0, () -> "its permit is back");
    }

    private RawHttp hold(String session, String accept) {
        return new RawHttp(server.port())
                .post(
                        "/mcp",
                        "Accept: " + accept + "\nMcp-Session-Id: " + session + "\n",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"hold\","
                                + "\"arguments\":{}}}");
    }
}
