package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.backend.ToolHandler;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.DetachedCallContext;
import switchboard.call.ToolReply;
import switchboard.dispatch.DelegatedCalls;
import switchboard.dispatch.PendingCall;
import switchboard.dispatch.Requester;

/**
 * Calls of backends that are a function, without a bus.
 *
 * @param requester who asks for all calls
 * @param backends answers at once, for the backend of that id
 */
public record DirectCalls(Requester requester, BiFunction<String, BackendRequest, BackendReply> backends)
        implements DelegatedCalls {
    /** Calls a tool of {@code backend} in a call of ten seconds whose progress {@code heard} gets. */
    public static ToolReply call(FederationBackend backend, String name, ObjectNode arguments, Consumer<String> heard) {
        ToolHandler<?> handler = backend.tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
        return run(handler, Arguments.of(arguments), new Heard(heard));
    }

    private static <A extends Record> ToolReply run(ToolHandler<A> handler, Arguments arguments, CallContext context) {
        return handler.call(arguments.bind(handler.argsType()), context).result();
    }

    /** Work is done where it is asked for. */
    public static <T> Future<T> now(Principal principal, Callable<T> work) {
        try {
            return Future.succeededFuture(work.call());
        } catch (Exception e) {
            return Future.failedFuture(e);
        }
    }

    @Override
    public Optional<Requester> requester(String callId) {
        return Optional.of(requester);
    }

    @Override
    public PendingCall send(String callId, String backendId, BackendRequest request, Caller caller, Duration timeout) {
        BackendReply reply = backends.apply(backendId, request);
        return new PendingCall() {
            @Override
            public Future<BackendReply> reply() {
                return Future.succeededFuture(reply);
            }

            @Override
            public void cancel() {}
        };
    }

    /** A call whose progress is heard. */
    private record Heard(Consumer<String> listener) implements DetachedCallContext {
        @Override
        public String callId() {
            return "test";
        }

        @Override
        public boolean wantsEvents() {
            return true;
        }

        @Override
        public @Nullable String traceparent() {
            return null;
        }

        @Override
        public Duration remaining() {
            return Duration.ofSeconds(10);
        }

        @Override
        public boolean cancelled() {
            return false;
        }

        @Override
        public void onCancel(Runnable action) {}

        @Override
        public void progress(double progress, @Nullable Double total, @Nullable String message) {
            listener.accept(progress + " " + message);
        }
    }
}
