package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import switchboard.call.CallingClient;
import switchboard.call.Json;
import switchboard.dispatch.ClientInteraction;
import switchboard.testing.logs.AsksForErrors;

/** Work that goes on after its answer ends like a request, whatever happens. */
class RequestRunnerTest {
    private final CoreFixture gateway = new CoreFixture();
    private final AtomicInteger leases = new AtomicInteger(1);

    private RpcCall call() {
        InboundMessage message = CoreFixture.modern(CoreFixture.ANYBODY, 1, "tools/call", "{}");
        OperationRecorder operation = new OperationRecorder(message, "task", ProtocolVersion.V2026_07_28);
        operation.lease(_ -> leases.decrementAndGet());
        return new RpcCall(
                message,
                new RpcMessage.Request(Json.object().numberNode(1), "tools/call", Json.object()),
                gateway.services.views().view(""),
                new RpcCall.ClientContext(
                        ProtocolVersion.V2026_07_28,
                        AcceptedTypes.of(null),
                        (_, _, _) -> {},
                        Runnable::run,
                        null,
                        null,
                        ClientInteraction.with(new CallingClient(Json.object(), CallingClient.AskMode.NEVER, null))),
                new Cancellation(),
                operation,
                null);
    }

    @Test
    @AsksForErrors("request failed, correlation id")
    void aResultThatCannotBeWrittenEndsTheWorkWithAnError() throws Exception {
        RpcResult tooLarge = new RpcResult.SizeLimited(Json.object().put("text", "too large"), 1, _ -> 0, _ -> {
            throw new IllegalStateException("nothing is small enough");
        });
        JsonNode answer = new RequestRunner(gateway.services)
                .runDetached(call(), () -> Future.succeededFuture(tooLarge))
                .await(30, TimeUnit.SECONDS);
        assertEquals(-32603, answer.at("/error/code").asInt(), answer::toString);
        String message = answer.at("/error/message").asText();
        assertTrue(message.startsWith("Internal error; the log has details under correlation id "), message);
        assertEquals(0, leases.get(), "the lease of the team's budget is given back");
        assertEquals("INTERNAL", gateway.operations.getFirst().outcome().error(), "and the request is recorded");
    }
}
