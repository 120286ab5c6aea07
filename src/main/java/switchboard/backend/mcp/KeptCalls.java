package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.backend.mcp.peer.DeclaredCapabilities;
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.CallingClient;
import switchboard.call.ClientQuestion;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.TeamShare;

/**
 * Runs callers' requests on a server. If the server, up to 2025-11-25, asks something while it answers, and the client is one that
 * answers with its next request (2026-07-28), the server's request is kept until the client comes back. The number of calls that
 * wait for a client is bounded, over all, for each team and for each caller; the one that waits longest ends first. Thread-safe.
 */
final class KeptCalls {
    /** How long a call may take with all of its rounds, besides the time for its first one. */
    private static final Duration LONGEST = Duration.ofHours(1);

    /** How long a server may take for further questions, which the client then gets together. */
    private static final long TOGETHER_MS = 30;

    private static final String STATE = "switchboard:call:";
    private static final int ID_BYTES = 24;

    static final ToolReply.Failed CANCELLED = new ToolReply.Failed(FailureKind.CANCELLED, "The call was cancelled.");
    static final ToolReply.Failed OVERDUE = new ToolReply.Failed(
                    FailureKind.TIMEOUT, "The server did not answer in time. It is told that nobody waits any more.")
            .withDetails(Json.object().put("outcome", "unknown"));
    private static final ToolReply.Failed STOPPED =
            new ToolReply.Failed(FailureKind.UNAVAILABLE, "The backend is stopped. Call again in a moment.");

    /** A call without a request of its client. */
    private record WaitingCall(KeptCall call, long sinceNanos) {}

    private final Vertx vertx;
    private final UpstreamCalls upstream;
    private final McpSettings.Questions bounds;
    private final int most;
    private final TeamShare share;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, KeptCall> calls = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Calls on {@code upstream}.
     *
     * @param connections how many connections or processes the server has for callers; calls that wait take at most half of them
     * @param share the part of the waiting calls that one team may have
     */
    KeptCalls(Vertx vertx, UpstreamCalls upstream, McpSettings.Questions bounds, int connections, TeamShare share) {
        this.share = share;
        this.vertx = vertx;
        this.upstream = upstream;
        this.bounds = bounds;
        this.most = Math.max(1, Math.min(bounds.most(), connections / 2));
    }

    /** The state of the kept call {@code id} that the client returns. */
    static String state(String id) {
        return STATE + id;
    }

    /**
     * Runs a request of the MCP method {@code method} for {@code context}, or goes on with the one that the client's answers
     * are for.
     *
     * @param call makes the request of the server, in the given context
     */
    Future<BackendReply> run(
            String method, CallContext context, BiFunction<Peer, CallContext, Future<BackendReply>> call) {
        CallingClient client = context.client();
        CallingClient.ClientResponses answers = client.answers();
        String state = answers == null ? null : answers.state();
        if (answers != null && state != null && state.startsWith(STATE)) {
            return resume(method, context, state.substring(STATE.length()), answers.responses());
        }
        boolean keeps = client.asking() == CallingClient.AskMode.IN_REPLY
                && DeclaredCapabilities.of(client).asks();
        return keeps
                ? Futures.here(new KeptCall(
                                newId(),
                                method,
                                this,
                                context,
                                context.remaining().plus(LONGEST))
                        .begin(kept -> send(context, kept, call)))
                : send(context, context, call);
    }

    /** Runs a request that the client does not go on with later. */
    <T> Future<T> once(CallContext context, Function<Peer, Future<T>> call) {
        return upstream.use(context, call);
    }

    /** A modern server gets the client's request as it is; it asks in its result. */
    private Future<BackendReply> send(
            CallContext context, CallContext kept, BiFunction<Peer, CallContext, Future<BackendReply>> call) {
        return upstream.use(kept, peer -> {
            if (!peer.asksInReply() && forAnotherEra(context.client().answers())) {
                throw new ToolException(gone());
            }
            return call.apply(peer, peer.asksInReply() ? context : kept);
        });
    }

    /** Whether the client answers what a server of the other era asked: to begin again could do something twice. */
    private static boolean forAnotherEra(CallingClient.@Nullable ClientResponses answers) {
        return answers != null && answers.state() != null && !ConsentQuestion.isAnswered(answers);
    }

    private String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private Future<BackendReply> resume(String method, CallContext context, String id, ObjectNode responses) {
        KeptCall call = calls.get(id);
        if (call == null || !call.belongs(method, context)) {
            return Future.succeededFuture(gone());
        }
        Map<String, ObjectNode> answers = new LinkedHashMap<>();
        for (Map.Entry<String, ClientQuestion> question : call.questions().entrySet()) {
            JsonNode answer = responses.path(question.getKey());
            if (!answer.isMissingNode()) {
                Optional<String> problem =
                        ClientResultCheck.problem(question.getValue().method(), answer);
                if (problem.isPresent()) {
                    return Future.succeededFuture(malformed(question.getKey(), problem.get()));
                }
                ObjectNode result = answer.deepCopy();
                result.remove("resultType"); // is not known before 2026-07-28
                answers.put(question.getKey(), result);
            }
        }
        try {
            upstream.goesOn(call, context);
        } catch (ToolException e) {
            return Future.succeededFuture(e.failed()); // Nothing is lost: the answers may come again.
        }
        return call.resume(context, answers)
                .map(Futures::here)
                .orElseGet(() -> Future.succeededFuture(call.underWay() ? underWay() : gone()));
    }

    private static ToolReply.Failed malformed(String key, String problem) {
        return ToolReply.failed(
                FailureKind.INVALID_ARGUMENT,
                "inputResponses." + key + " " + problem
                        + ". Nothing is lost: send the same requestState again with a correct answer.");
    }

    private static ToolReply.Failed underWay() {
        return ToolReply.failed(
                FailureKind.CONFLICT,
                "Another request with this requestState is under way, and gets the result. Wait for it.");
    }

    private ToolReply.Failed gone() {
        return new ToolReply.Failed(
                        FailureKind.UNAVAILABLE,
                        "The call that these answers are for is gone: it was answered or cancelled, it waited for answers"
                                + " longer than " + bounds.timeout().toSeconds()
                                + " s, too many calls waited, the gateway or the server was started anew, or the answers"
                                + " came to another gateway. Whether the tool did something is unknown. Look first, then"
                                + " call again without requestState and inputResponses.")
                .withDetails(Json.object().put("outcome", "unknown"));
    }

    /** Runs {@code action} when the questions that the server asks together have come. */
    void soon(Runnable action) {
        vertx.setTimer(TOGETHER_MS, _ -> action.run());
    }

    /** Runs {@code late} with the timer's id when a call that waits from now on has waited long enough, unless it is cancelled. */
    long timer(LongConsumer late) {
        return vertx.setTimer(bounds.timeout().toMillis(), late::accept);
    }

    /** Cancels a timer. */
    void cancel(long timer) {
        vertx.cancelTimer(timer);
    }

    /** {@code call} waits for its client from now on. */
    void waits(KeptCall call) {
        calls.put(call.id(), call);
        if (call.over()) { // meanwhile
            over(call);
            return;
        }
        if (closed) {
            call.end(STOPPED);
        } else {
            tooMany().forEach(oldest -> oldest.call().endWaiting());
        }
    }

    /** {@code call} is answered or has ended otherwise. */
    void over(KeptCall call) {
        calls.remove(call.id());
        cancel(call.timer());
    }

    /** The calls that must end because more wait than may. */
    private Set<WaitingCall> tooMany() {
        List<WaitingCall> waiting = calls.values().stream()
                .flatMap(call -> call.waitsSince().stream().mapToObj(since -> new WaitingCall(call, since)))
                .sorted((one, other) -> Long.signum(one.sinceNanos() - other.sinceNanos()))
                .toList();
        Set<WaitingCall> ending = new LinkedHashSet<>();
        grouped(waiting, KeptCall::owner).forEach(own -> trim(own, bounds.perCaller(), ending));
        grouped(waiting, KeptCall::team).forEach(ofTeam -> trim(ofTeam, share.of(most), ending));
        trim(waiting, most, ending);
        return ending;
    }

    private static Collection<List<WaitingCall>> grouped(List<WaitingCall> waiting, Function<KeptCall, ?> by) {
        return waiting.stream()
                .collect(Collectors.groupingBy(waits -> by.apply(waits.call())))
                .values();
    }

    /** Ends the oldest of the caller who has most, of several such callers the oldest, until {@code bound} are left. */
    private static void trim(List<WaitingCall> oldestFirst, int bound, Set<WaitingCall> ending) {
        List<WaitingCall> left = new ArrayList<>(oldestFirst);
        left.removeAll(ending);
        while (left.size() > bound) {
            int largest = grouped(left, KeptCall::owner).stream()
                    .mapToInt(List::size)
                    .max()
                    .orElseThrow();
            WaitingCall oldest = grouped(left, KeptCall::owner).stream()
                    .filter(own -> own.size() == largest)
                    .map(List::getFirst)
                    .min(Comparator.comparingInt(left::indexOf))
                    .orElseThrow();
            left.remove(oldest);
            ending.add(oldest);
        }
    }

    /** Ends all calls that wait, and keeps no more. */
    void close() {
        closed = true;
        List.copyOf(calls.values()).forEach(call -> call.end(STOPPED));
    }
}
