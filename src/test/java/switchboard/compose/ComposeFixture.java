package switchboard.compose;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.backend.CallContext;
import switchboard.backend.ToolHandler;
import switchboard.backend.UnheardCall;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.SearchableSource;
import switchboard.call.ToolReply;
import switchboard.catalog.View;
import switchboard.dispatch.DelegatedCalls;
import switchboard.dispatch.PendingCall;
import switchboard.dispatch.Requester;
import switchboard.store.PooledKeywordScore;

/** Federated tools over backends that are functions. A backend that gives null never answers. */
final class ComposeFixture implements DelegatedCalls {
    private final Map<String, Function<BackendRequest, @Nullable BackendReply>> backends = new TreeMap<>();
    private Requester requester;

    /** A backend of one source. */
    ComposeFixture backend(String id, String source, Function<BackendRequest, @Nullable BackendReply> search) {
        backends.put(
                id,
                request -> request instanceof BackendRequest.ListSources
                        ? new BackendReply.Sources(List.of(source(source)))
                        : search.apply(request));
        return this;
    }

    static SearchableSource source(String name) {
        return new SearchableSource(name, "test", null, List.of(), null, List.of("keyword"));
    }

    static Passage passage(String id, String text, @Nullable Double cosine) {
        return new Passage(
                id,
                "title of " + id,
                null,
                text,
                null,
                cosine == null ? null : new Passage.Similarity("model", cosine),
                Json.object());
    }

    FederationBackend backend() {
        return new FederationBackend(
                ComposeSettings.DEFAULT,
                new FederationBackend.Ground(
                        backends.keySet(), new AccessPolicy(), this, ComposeFixture::now, PooledKeywordScore::of));
    }

    /** Calls are asked for by {@code principal} from now on, in a view of all backends. */
    ComposeFixture askedBy(Principal principal) {
        requester =
                new Requester(principal, new View("", Set.copyOf(backends.keySet()), List.of(), Map.of(), Map.of()));
        return this;
    }

    /** Calls a tool in a call of ten seconds whose progress {@code heard} gets. */
    ToolReply call(String name, ObjectNode arguments, Consumer<String> heard) {
        ToolHandler<?> handler = backend().tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
        return run(handler, Arguments.of(arguments), new Heard(heard));
    }

    private static <A extends Record> ToolReply run(ToolHandler<A> handler, Arguments arguments, CallContext context) {
        return handler.call(arguments.bind(handler.argsType()), context).result();
    }

    /** A call whose progress is heard. */
    private record Heard(Consumer<String> listener) implements UnheardCall {
        @Override
        public String callId() {
            return "test";
        }

        @Override
        public boolean heard() {
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

    private static <T> Future<T> now(Principal principal, Callable<T> work) {
        try {
            return Future.succeededFuture(work.call());
        } catch (Exception e) {
            return Future.failedFuture(e);
        }
    }

    @Override
    public Optional<Requester> requester(String callId) {
        return Optional.ofNullable(requester);
    }

    @Override
    public PendingCall send(String callId, String backendId, BackendRequest request, Caller caller, Duration timeout) {
        BackendReply reply = backends.get(backendId).apply(request);
        // What the dispatcher does with a call that is late.
        BackendReply told = reply != null
                ? reply
                : new ToolReply.Failed(FailureKind.TIMEOUT, "\"" + backendId + "\" did not answer.");
        return new PendingCall() {
            @Override
            public Future<BackendReply> reply() {
                return Future.succeededFuture(told);
            }

            @Override
            public void cancel() {}
        };
    }
}
