package switchboard.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.backend.ExclusiveBackend;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendCall;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.BackendRequest.Maintain;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.CallingClient;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.NotOwnerException;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.dispatch.PendingCall;
import switchboard.testing.Eventually;

/** Two processes' sides of one folder of data, with a real connection between them. */
@ExtendWith(VertxExtension.class)
class SharedBackendTest {
    private static final BackendRequest READ = new Maintain(new Maintain.Check());
    private static final BackendRequest WRITE = new Maintain(new Maintain.Reindex());

    /** The folder: who owns it, and where the owner is. */
    private static final class Folder {
        private @Nullable Data owner;
        private @Nullable String address;
    }

    /** A backend that works on the folder itself. */
    private static final class Data implements ExclusiveBackend {
        private final Folder folder;
        private final List<String> done = new CopyOnWriteArrayList<>();
        private @Nullable RuntimeException broken;

        Data(Folder folder) {
            this.folder = folder;
        }

        long times(String what) {
            return done.stream().filter(what::equals).count();
        }

        @Override
        public Future<Void> start() {
            done.add("start");
            if (broken != null) {
                return Future.failedFuture(broken);
            }
            if (folder.owner != null && folder.owner != this) {
                return Future.failedFuture(new NotOwnerException("another process has it", folder.address));
            }
            folder.owner = this;
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> stop() {
            done.add("stop");
            if (folder.owner == this) {
                folder.owner = null;
                folder.address = null;
            }
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> announce(String address) {
            done.add("announce");
            folder.address = address;
            return Future.succeededFuture();
        }

        @Override
        public Future<Health> health() {
            return Future.succeededFuture(Health.up("its own"));
        }

        @Override
        public Set<String> gates() {
            return Set.of("gate");
        }

        @Override
        public List<ToolHandler<?>> tools() {
            return List.of();
        }

        @Override
        public Concurrency concurrency() {
            return Concurrency.ONE_EVENT_LOOP;
        }

        @Override
        public Future<ToolReply> maintain(Maintain.Chore chore, CallContext context) {
            return Future.succeededFuture(ToolReply.text("maintained"));
        }
    }

    private final Folder folder = new Folder();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final List<String> relayed = new CopyOnWriteArrayList<>();
    private final List<Promise<BackendReply>> held = new CopyOnWriteArrayList<>();
    private final List<RelayServer> servers = new ArrayList<>();
    private Vertx vertx;
    private BlockingExecutor executor;
    private boolean answering = true;

    @BeforeEach
    void open(Vertx opened) {
        this.vertx = opened;
        this.executor = new BlockingExecutor(opened, new SimpleMeterRegistry(), "relay", 2, 10, TeamShare.ALL);
    }

    @AfterEach
    void close() {
        held.forEach(promise -> promise.tryComplete(ToolReply.text("late")));
        servers.forEach(server -> server.close(Duration.ofSeconds(10)).await());
        executor.close().await();
    }

    private RelayServer server() {
        RelayServer server = new RelayServer(
                vertx,
                (id, request, caller, options) -> {
                    relayed.add(id);
                    Promise<BackendReply> reply = Promise.promise();
                    if (answering) {
                        reply.complete(ToolReply.text("from the owner"));
                    } else {
                        held.add(reply);
                    }
                    return new PendingCall() {
                        @Override
                        public Future<BackendReply> reply() {
                            return reply.future();
                        }

                        @Override
                        public void cancel() {
                            relayed.add("cancelled");
                        }
                    };
                },
                executor);
        servers.add(server);
        return server;
    }

    private SharedBackend shared(Data data) {
        return new SharedBackend(vertx, "toy", "toys", data, server(), request -> request.equals(READ));
    }

    private Future<BackendReply> call(SharedBackend backend, BackendRequest request) {
        CallContext context = (CallContext) Proxy.newProxyInstance(
                CallContext.class.getClassLoader(),
                new Class<?>[] {CallContext.class},
                (_, method, _) -> switch (method.getName()) {
                    case "remaining" -> Duration.ofMinutes(5);
                    case "cancelled" -> cancelled.get();
                    case "onCancel" -> null;
                    default -> throw new AssertionError(method);
                });
        BackendCall call = new BackendCall(
                "1",
                request,
                Caller.unrestricted(),
                System.nanoTime() + Duration.ofMinutes(5).toNanos(),
                new BackendCall.WantedEvents(false, null),
                null,
                null,
                CallingClient.SILENT);
        return backend.answer(call, context, () -> Future.succeededFuture(ToolReply.text("from here")));
    }

    private static String unavailable(Future<BackendReply> reply) {
        ToolException thrown = assertThrows(ToolException.class, reply::await);
        assertEquals(FailureKind.UNAVAILABLE, thrown.failed().kind());
        return thrown.failed().message();
    }

    @Test
    void theFirstOwnsTheDataAndTheSecondAsksIt() {
        Data first = new Data(folder);
        Data second = new Data(folder);
        SharedBackend owner = shared(first);
        SharedBackend guest = shared(second);
        owner.start().await();
        assertEquals(List.of("start", "announce"), first.done);
        guest.start().await();
        assertEquals(0, second.times("announce"));
        assertEquals(ToolReply.text("from here"), call(owner, READ).await());
        assertEquals(List.of(), relayed);
        assertEquals(ToolReply.text("from the owner"), call(guest, WRITE).await());
        assertEquals(List.of("toys"), relayed);
        assertEquals(Health.up("its own"), owner.health().await());
        assertEquals(
                Health.up("up, in the process that owns the data"),
                guest.health().await());
        owner.start().await();
        assertEquals(List.of("start", "announce"), first.done, "it is started once");
        guest.stop().await();
        owner.stop().await();
    }

    @Test
    void afterItsEndItIsClosedAndTakesNothing() {
        Data data = new Data(folder);
        SharedBackend backend = shared(data);
        backend.start().await();
        backend.stop().await();
        assertEquals(List.of("start", "announce", "stop"), data.done);
        assertEquals("The data of toys is closed.", unavailable(call(backend, READ)));
        assertEquals(Health.down("closed"), backend.health().await());
        assertEquals(List.of("start", "announce", "stop"), data.done);

        SharedBackend never = shared(new Data(folder));
        never.stop().await();
        ToolException closed =
                assertThrows(ToolException.class, () -> never.start().await());
        assertEquals("The data of toys is closed.", closed.failed().message());
    }

    @Test
    void aGuestThatEndsStopsItsOwnSideAndHasNoOwnerAnyMore() {
        Data second = new Data(folder);
        SharedBackend owner = shared(new Data(folder));
        SharedBackend guest = shared(second);
        owner.start().await();
        guest.start().await();
        guest.stop().await();
        assertEquals(1, second.times("stop"));
        assertEquals("The data of toys is closed.", unavailable(call(guest, READ)));
        assertEquals(Health.down("closed"), guest.health().await());
        assertEquals(List.of(), relayed);
    }

    @Test
    void aCallTakesTheDataOverWhenItsOwnerHasWithdrawn() {
        Data second = new Data(folder);
        SharedBackend owner = shared(new Data(folder));
        SharedBackend guest = shared(second);
        owner.start().await();
        guest.start().await();
        owner.stop().await();
        // It did not reach the owner, so also a change is made here.
        assertEquals(ToolReply.text("from here"), call(guest, WRITE).await());
        assertEquals(1, second.times("announce"));
        assertSame(second, folder.owner);
        assertEquals(Health.up("its own"), guest.health().await());
    }

    @Test
    void aChangeThatMayHaveReachedALostOwnerIsNotRepeated() {
        Data first = new Data(folder);
        Data second = new Data(folder);
        SharedBackend owner = shared(first);
        SharedBackend guest = shared(second);
        owner.start().await();
        guest.start().await();
        answering = false;
        List<Future<BackendReply>> calls = List.of(call(guest, WRITE), call(guest, READ));
        Eventually.that(() -> held.size() == 2, () -> "the owner has both");
        first.stop().await();
        servers.getFirst().withdraw("toy", "toys");
        held.forEach(promise -> promise.fail("the process ends"));
        assertEquals(
                "Outcome unknown: the process that owned the data of toys ended during the call. Acknowledged changes are"
                        + " kept. Check whether this call was carried out, and call again if not.",
                unavailable(calls.getFirst()));
        assertEquals(ToolReply.text("from here"), calls.getLast().await());
        assertEquals(1, second.times("announce"), "both calls take it over once");
    }

    @Test
    void aCancelledCallDoesNotTakeTheDataOver() {
        Data second = new Data(folder);
        SharedBackend owner = shared(new Data(folder));
        SharedBackend guest = shared(second);
        owner.start().await();
        guest.start().await();
        owner.stop().await();
        cancelled.set(true);
        ToolException over =
                assertThrows(ToolException.class, () -> call(guest, READ).await());
        assertEquals(FailureKind.CANCELLED, over.failed().kind());
        assertEquals(0, second.times("announce"));
    }

    @Test
    void theHealthCheckTakesOverAndSaysWhyItCannot() {
        Data second = new Data(folder);
        SharedBackend owner = shared(new Data(folder));
        SharedBackend guest = shared(second);
        owner.start().await();
        guest.start().await();
        owner.stop().await();
        second.broken = new IllegalStateException("the disk is full");
        assertEquals(Health.down("the disk is full"), guest.health().await());
        assertEquals("The data of toys could not be taken over: the disk is full.", unavailable(call(guest, READ)));
        second.broken = null;
        assertEquals(Health.up("its own"), guest.health().await());
        assertEquals(ToolReply.text("from here"), call(guest, READ).await());
    }

    @Test
    void aStartThatFailsForAnotherReasonIsNotTriedAgain() {
        Data data = new Data(folder);
        data.broken = new IllegalStateException("the disk is full");
        SharedBackend backend = shared(data);
        assertThrows(IllegalStateException.class, () -> backend.start().await());
        assertEquals(List.of("start"), data.done);
    }

    @Test
    void anOwnerThatStartsIsWaitedFor() {
        Data first = new Data(folder);
        first.start().await(); // it has not announced itself yet
        Data second = new Data(folder);
        SharedBackend guest = shared(second);
        Future<Void> started = guest.start();
        Eventually.that(() -> second.done.size() >= 2, () -> "another attempt");
        first.stop().await();
        started.await();
        assertEquals(ToolReply.text("from here"), call(guest, READ).await());
    }

    @Test
    void anAddressOfAnotherTypeOfBackendIsNotUsed() {
        Data first = new Data(folder);
        SharedBackend owner = new SharedBackend(vertx, "toys", "toys", first, server(), _ -> true);
        owner.start().await();
        Data second = new Data(folder);
        Future<Void> started = shared(second).start();
        Eventually.that(() -> second.done.size() >= 2, () -> "another attempt");
        owner.stop().await();
        started.await();
        assertEquals(List.of(), relayed);
    }

    @Test
    void everythingElseIsThatOfItsOwnSide() {
        Data data = new Data(folder);
        SharedBackend backend = shared(data);
        assertEquals(Set.of("gate"), backend.gates());
        assertEquals(switchboard.backend.Backend.Concurrency.ONE_EVENT_LOOP, backend.concurrency());
        assertEquals(List.of(), backend.declaredTools());
        assertEquals(Optional.empty(), backend.resources());
        assertEquals(Optional.empty(), backend.search());
        assertEquals(Optional.empty(), backend.prompts());
        assertTrue(backend.tools().isEmpty());
    }
}
