package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
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
final class FederationFixture {
    /** The usual cosines of one model are known, and one was trained on English only. */
    static final EmbeddingModels MODELS = new EmbeddingModels() {
        @Override
        public OptionalDouble normalized(String model, double cosine) {
            return model.equals("measured") ? OptionalDouble.of((cosine - 0.5) / 0.4) : OptionalDouble.empty();
        }

        @Override
        public double weight(String model, Optional<String> language) {
            return model.equals("english") && language.isPresent() ? 0.5 : 1;
        }
    };

    private final Map<String, Function<BackendRequest, @Nullable BackendReply>> backends = new TreeMap<>();
    private final List<Duration> timeouts = new ArrayList<>();
    private FederationSettings settings = FederationSettings.DEFAULT;

    /** With these rules. */
    FederationFixture signals(SignalRules rules) {
        FederationSettings usual = FederationSettings.DEFAULT;
        settings = new FederationSettings(
                usual.deadline(), usual.candidates(), usual.maxSources(), usual.fusion(), usual.sources(), rules);
        return this;
    }

    /** The time that each part of the calls so far was given, in their order. */
    List<Duration> timeouts() {
        return List.copyOf(timeouts);
    }

    /** A backend of one source. */
    FederationFixture backend(String id, String source, Function<BackendRequest, @Nullable BackendReply> search) {
        backends.put(
                id,
                request -> request instanceof BackendRequest.ListSources
                        ? new BackendReply.Sources(List.of(source(source)))
                        : search.apply(request));
        return this;
    }

    /** A backend that answers everything with {@code reply}. */
    FederationFixture unlisted(String id, @Nullable BackendReply reply) {
        backends.put(id, _ -> reply);
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

    /** Calls a tool as {@code principal}, in a view of all backends; {@code heard} gets its progress. */
    ToolReply call(Principal principal, String name, ObjectNode arguments, Consumer<String> heard) {
        Set<String> ids = Set.copyOf(backends.keySet());
        DirectCalls calls = new DirectCalls(
                new Requester(principal, new View("", ids, List.of(), Map.of(), Map.of())), this::answer);
        return DirectCalls.call(
                new FederationBackend(
                        settings,
                        new FederationBackend.Dependencies(
                                ids,
                                new AccessPolicy(),
                                noted(calls),
                                DirectCalls::now,
                                PooledKeywordScore::of,
                                FederationFixture.MODELS,
                                TextComparison.NONE,
                                NoMembers.INSTANCE)),
                name,
                arguments,
                heard);
    }

    private DelegatedCalls noted(DelegatedCalls calls) {
        return new DelegatedCalls() {
            @Override
            public Optional<Requester> requester(String callId) {
                return calls.requester(callId);
            }

            @Override
            public PendingCall send(
                    String callId, String backendId, BackendRequest request, Caller caller, Duration timeout) {
                timeouts.add(timeout);
                return calls.send(callId, backendId, request, caller, timeout);
            }
        };
    }

    private BackendReply answer(String backend, BackendRequest request) {
        BackendReply reply = backends.get(backend).apply(request);
        // What the dispatcher does with a call that is late.
        return reply != null ? reply : new ToolReply.Failed(FailureKind.TIMEOUT, "\"" + backend + "\" did not answer.");
    }
}
