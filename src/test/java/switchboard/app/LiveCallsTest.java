package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.call.CallStep;
import switchboard.call.Json;
import switchboard.console.CallAudience;
import switchboard.console.StoredUsage;
import switchboard.console.UsageQuery;
import switchboard.console.UsageStore;
import switchboard.console.UsageUnit;
import switchboard.telemetry.FinishedRequest;
import switchboard.telemetry.RequestCaller;
import switchboard.telemetry.RequestSource;

/** Which requests are calls that the console shows, and what is kept of them. */
class LiveCallsTest {
    private static final CallAudience ALL = new CallAudience.Everybody();

    private final AtomicBoolean console = new AtomicBoolean(true);
    private final UsageStore store = new UsageStore(Clock.systemUTC());
    private final LiveCalls calls = new LiveCalls(
            console::get,
            new GatewayUsage(store, executor -> new StoredUsage(store, executor), null),
            Clock.systemUTC());

    private static FinishedRequest request(
            String method, @Nullable String tool, @Nullable String unknown, FinishedRequest.RequestWork work) {
        return new FinishedRequest(
                new RequestSource("id", null, "127.0.0.1", ""),
                new RequestCaller("red", "r1"),
                new FinishedRequest.Channel("http", "2026-07-28"),
                new FinishedRequest.Subject(
                        method, tool, unknown, List.of("lantern"), Json.object().put("query", "lantern")),
                FinishedRequest.Outcome.OK,
                Duration.ofMillis(3),
                12,
                work);
    }

    private static FinishedRequest.RequestWork work(String backend, CallStep... steps) {
        return new FinishedRequest.RequestWork(backend, List.of(steps), 0);
    }

    private List<String> shown() {
        return calls.recent().first(ALL).calls().stream()
                .map(call -> new String(call.json(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void nothingIsKeptWhereThereIsNoConsole() {
        console.set(false);
        assertFalse(calls.wantsSteps());
        calls.finished(request("tools/call", "search", null, work("vectordb")));
        assertEquals(List.of(), shown());
        console.set(true);
        assertTrue(calls.wantsSteps());
        calls.finished(request("tools/call", "search", null, work("vectordb")));
        assertEquals(1, shown().size());
    }

    @Test
    void aTaskIsShownAtEachRequestAndCountsOnce() {
        for (String method : List.of("tools/call", "tasks/get", "tasks/get", "tasks/update", "tasks/cancel")) {
            calls.finished(request(method, "search", null, work("vectordb")));
        }
        assertEquals(5, shown().size());
        JsonNode usage = store.report(new UsageQuery(UsageUnit.DAY, null, null, "", ""), ALL)
                .json();
        assertEquals(1, usage.at("/total/calls").asInt(), usage::toString);
    }

    @Test
    void aRequestThatReachesNoToolAndNoBackendIsNoCall() {
        CallStep read = new CallStep(CallStep.StepKind.CALL, 1, "wiki", "ReadResource", 0, 0, 5, "TIMEOUT");
        calls.finished(request("tools/list", null, null, work("")));
        calls.finished(request("tools/call", null, "nothing", work("")));
        calls.finished(request("resources/read", null, null, work("", read)));
        assertEquals(2, shown().size());
        assertTrue(shown().getFirst().contains("\"tool\":\"nothing\",\"backend\":\"\""), shown()::getFirst);
        assertTrue(shown().getLast().contains("\"method\":\"resources/read\",\"tool\":\"\",\"backend\":\"wiki\""));
        assertTrue(shown().getLast().contains("\"outcome\":\"timeout\""), shown()::getLast);
        assertFalse(shown().toString().contains("lantern"), "neither arguments nor resources");
    }
}
