package switchboard.compose;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.SearchableSource;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;
import switchboard.store.PooledKeywordScore;

/** Composed tools over backends that are functions. A backend that gives null never answers. */
final class ComposeFixture implements Parts {
    private final Map<String, Function<BackendRequest, @Nullable BackendReply>> backends = new TreeMap<>();

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

    Composer composer() {
        return new Composer(
                backends.keySet(),
                ComposeSettings.DEFAULT,
                new Composer.Ground(new AccessPolicy(), this, ComposeFixture::now, PooledKeywordScore::of));
    }

    Asker asker(Principal principal, CallOptions options) {
        return new Asker(
                principal,
                new switchboard.catalog.View("", Set.copyOf(backends.keySet()), List.of(), Map.of(), Map.of()),
                options);
    }

    private static <T> Future<T> now(Principal principal, Callable<T> work) {
        try {
            return Future.succeededFuture(work.call());
        } catch (Exception e) {
            return Future.failedFuture(e);
        }
    }

    @Override
    public PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options) {
        Promise<BackendReply> promise = Promise.promise();
        BackendReply reply = backends.get(backendId).apply(request);
        if (reply != null) {
            promise.complete(reply);
        } else {
            // What the dispatcher does with a call that is late.
            promise.complete(new switchboard.call.ToolReply.Failed(
                    switchboard.call.FailureKind.TIMEOUT, "\"" + backendId + "\" did not answer."));
        }
        return new PendingCall() {
            @Override
            public Future<BackendReply> reply() {
                return promise.future();
            }

            @Override
            public void cancel() {}
        };
    }
}
