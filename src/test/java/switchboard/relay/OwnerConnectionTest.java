package switchboard.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.call.BackendCall;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.CallingClient;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.testing.Eventually;
import switchboard.testing.SilentDns;

/** What a call comes to that the process that owns the data does not answer. */
@ExtendWith(VertxExtension.class)
class OwnerConnectionTest {
    private Vertx vertx;
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicInteger gone = new AtomicInteger();
    private final List<Runnable> onCancel = new ArrayList<>();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final AtomicBoolean asks = new AtomicBoolean();
    private final AtomicReference<Runnable> answer = new AtomicReference<>();
    private OwnerConnection connection;

    @BeforeEach
    void start(Vertx vertx) {
        this.vertx = vertx;
        RelayCertificate certificate = RelayCertificate.make();
        HttpServer silent = vertx.createHttpServer(
                        new HttpServerOptions().setSsl(true).setKeyCertOptions(certificate.options()))
                .requestHandler(request -> {
                    asked.incrementAndGet();
                    request.handler(part -> bytes.addAndGet(part.length()));
                    request.exceptionHandler(_ -> {});
                    if (asks.get()) {
                        request.response().writeContinue();
                    }
                    answer.set(() -> request.response().end(RelayProtocol.frame(ToolReply.text("late"))));
                    request.response().closeHandler(_ -> gone.incrementAndGet());
                    request.response().exceptionHandler(_ -> {});
                })
                .listen(0, "127.0.0.1")
                .await();
        connection = new OwnerConnection(
                vertx,
                new OwnerAddress(
                        URI.create("https://127.0.0.1:" + silent.actualPort() + "/toy/a"), "t", certificate.pem()));
    }

    @Test
    void aCallThatIsTakenBackIsCancelledAndNoSignThatTheOwnerIsGone() {
        Future<BackendReply> reply = send(Duration.ofMinutes(10));
        Eventually.that(() -> asked.get() == 1, () -> "the owner has the call");
        cancelled.set(true);
        List.copyOf(onCancel).forEach(Runnable::run);
        ToolReply.Failed failed = assertInstanceOf(ToolReply.Failed.class, reply.await());
        assertEquals(FailureKind.CANCELLED, failed.kind());
        Eventually.that(() -> gone.get() == 1, () -> "the owner hears of it");
    }

    @Test
    void aCallThatTakesTooLongHasTimedOut() {
        Future<BackendReply> reply = send(Duration.ofMillis(200));
        assertEquals(
                FailureKind.TIMEOUT,
                assertThrows(ToolException.class, reply::await).failed().kind());
    }

    @Test
    void aChangeIsSentOnlyWhenTheOwnerAsksForIt() {
        Future<BackendReply> reply = send(Duration.ofSeconds(20), false);
        OwnerUnavailableException hangs = assertThrows(OwnerUnavailableException.class, reply::await);
        assertFalse(hangs.reached(), "it may be repeated");
        assertEquals(1, asked.get());
        assertEquals(0, bytes.get(), "the owner has nothing but the announcement");
        Eventually.that(() -> gone.get() == 1, () -> "the owner hears that nobody waits any more");
    }

    @Test
    void aChangeWithLittleTimeLeftIsNoSignThatTheOwnerIsGone() {
        Future<BackendReply> reply = send(Duration.ofSeconds(1), false);
        ToolReply.Failed late = assertThrows(ToolException.class, reply::await).failed();
        assertEquals(FailureKind.TIMEOUT, late.kind());
        assertTrue(late.message().contains("was not carried out"), late.message());
        assertEquals(0, bytes.get());
    }

    @Test
    void aChangeThatTheOwnerHasWhenItsTimeIsOverMayHaveBeenMade() {
        asks.set(true);
        Future<BackendReply> reply = send(Duration.ofSeconds(2), false);
        ToolReply.Failed late = assertThrows(ToolException.class, reply::await).failed();
        assertEquals(FailureKind.TIMEOUT, late.kind());
        assertTrue(late.message().contains("Outcome unknown"), late.message());
        assertTrue(bytes.get() > 0);
    }

    @Test
    void aChangeThatIsTakenBackBeforeTheOwnerAsksForItIsNotSent() {
        Future<BackendReply> reply = send(Duration.ofMinutes(10), false);
        Eventually.that(() -> asked.get() == 1, () -> "the owner knows that it comes");
        cancelled.set(true);
        List.copyOf(onCancel).forEach(Runnable::run);
        assertEquals(
                FailureKind.CANCELLED,
                assertInstanceOf(ToolReply.Failed.class, reply.await()).kind());
        Eventually.that(() -> gone.get() == 1, () -> "the owner hears of it");
        assertEquals(0, bytes.get());
    }

    @Test
    void theLastAnswersOfAFormerOwnerAreRead() {
        Future<BackendReply> reply = send(Duration.ofMinutes(10));
        Eventually.that(() -> answer.get() != null, () -> "the owner has the call");
        Future<Void> retired = connection.retire();
        answer.get().run();
        assertEquals(ToolReply.text("late"), reply.await());
        retired.await();
    }

    @Test
    void itCanBeClosedWhileItConnectsForACallThatIsOver() {
        try (SilentDns dns = new SilentDns()) {
            connection = new OwnerConnection(
                    dns.vertx(),
                    new OwnerAddress(
                            URI.create("https://owner.example:1/toy/a"),
                            "t",
                            RelayCertificate.make().pem()));
            Future<BackendReply> waiting = send(Duration.ofSeconds(20));
            Future<BackendReply> late = send(Duration.ofMillis(200));
            assertEquals(
                    FailureKind.TIMEOUT,
                    assertThrows(ToolException.class, late::await).failed().kind());
            Future<Void> closed = connection.close();
            Eventually.that(closed::succeeded, () -> "the connection is not closed: " + closed);
            assertThrows(OwnerUnavailableException.class, waiting::await);
        }
    }

    private Future<BackendReply> send(Duration remaining) {
        return send(remaining, true);
    }

    private Future<BackendReply> send(Duration remaining, boolean repeatable) {
        CallContext context = (CallContext) Proxy.newProxyInstance(
                CallContext.class.getClassLoader(),
                new Class<?>[] {CallContext.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "remaining" -> remaining;
                    case "cancelled" -> cancelled.get();
                    case "onCancel" -> onCancel.add((Runnable) arguments[0]);
                    default -> throw new AssertionError(method);
                });
        BackendCall call = new BackendCall(
                "1",
                new BackendRequest.Maintain(new BackendRequest.Maintain.Check()),
                Caller.unrestricted(),
                System.nanoTime() + remaining.toNanos(),
                new BackendCall.WantedEvents(false, null),
                null,
                null,
                CallingClient.SILENT);
        Future<BackendReply> reply = connection.send(call, context, repeatable);
        assertTrue(remaining.isPositive());
        return reply;
    }
}
