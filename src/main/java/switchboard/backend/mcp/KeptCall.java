package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.CallSteps;
import switchboard.call.Caller;
import switchboard.call.CallingClient;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.RelayedReply;
import switchboard.call.SessionValues;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * A call of a server up to 2025-11-25 for a client that answers questions with its next request. The server's request stays open
 * from round to round; it is made in this context, which stands for the request of the client that is open now, if one is.
 * Everything that changes is guarded by this object; nobody is told anything while it is locked. Thread-safe.
 */
final class KeptCall implements CallContext {
    private static final int MOST_OPEN = 32;

    /** The bound of all open questions together, in characters. */
    private static final int MOST_CHARS = 4 * 1024 * 1024;

    /** A question without an answer. */
    private record OpenQuestion(ClientQuestion question, int chars, Promise<ClientAnswer> answer) {
        ObjectNode json() {
            ObjectNode request = Json.object().put("method", question.method());
            request.set("params", question.params());
            return request;
        }
    }

    /** The client's request that is open, and its reply. */
    private record Round(CallContext context, Promise<BackendReply> reply) {}

    private final String id;
    private final String method;
    private final KeptCalls registry;
    private final CallContext first;
    private final long endNanos;
    private final Map<String, OpenQuestion> open = new LinkedHashMap<>();
    private List<Runnable> onCancel = new ArrayList<>();
    private @Nullable Round round;
    /** How the server's request ended, if it has. */
    private @Nullable AsyncResult<BackendReply> outcome;

    private boolean over;
    private int asked;
    private long waitsSinceNanos;
    /** Ends the wait; -1 if there is none. */
    private long timer = -1;

    /** The characters of the open questions. */
    private long openChars;

    /**
     * A call that begins with the request of {@code first}.
     *
     * @param longest how long it may take with all of its rounds
     */
    KeptCall(String id, String method, KeptCalls registry, CallContext first, Duration longest) {
        this.id = id;
        this.method = method;
        this.registry = registry;
        this.first = first;
        this.endNanos = System.nanoTime() + longest.toNanos();
    }

    String id() {
        return id;
    }

    /** The timer of its wait, or -1. */
    synchronized long timer() {
        return timer;
    }

    /** Whether a request of {@code context} with {@code sameMethod} may go on with it. */
    boolean belongs(String sameMethod, CallContext context) {
        return method.equals(sameMethod) && owner().equals(context.caller().identity());
    }

    /** The caller that it belongs to: only this caller may go on with it. */
    Caller.Identity owner() {
        return first.caller().identity();
    }

    /** The team that it counts for. */
    String team() {
        return first.caller().chargedTeam();
    }

    /** Since when it waits for a request of the client; empty if it does not. */
    synchronized OptionalLong waitsSince() {
        return over || round != null ? OptionalLong.empty() : OptionalLong.of(waitsSinceNanos);
    }

    /** Whether another request of the client waits for it. */
    synchronized boolean underWay() {
        return round != null;
    }

    /** Whether it was answered, or has ended otherwise. */
    synchronized boolean over() {
        return over;
    }

    /** The questions that wait for an answer, by key. */
    synchronized Map<String, ClientQuestion> questions() {
        Map<String, ClientQuestion> questions = new LinkedHashMap<>();
        open.forEach((key, question) -> questions.put(key, question.question()));
        return questions;
    }

    /** Begins the first round with the server's request. */
    Future<BackendReply> begin(Function<CallContext, Future<BackendReply>> request) {
        Round begun = new Round(first, Promise.promise());
        synchronized (this) {
            round = begun;
        }
        entered(begun);
        Futures.settle(request.apply(this), this::ended, _ -> {});
        return begun.reply().future();
    }

    /**
     * Goes on with answers of the right form.
     *
     * @return the next questions or the result; empty if another request of the client waits for it, or it is over
     */
    Optional<Future<BackendReply>> resume(CallContext context, Map<String, ObjectNode> answers) {
        Round begun = new Round(context, Promise.promise());
        Map<String, OpenQuestion> answered = new LinkedHashMap<>();
        AsyncResult<BackendReply> known;
        boolean more;
        long waited;
        synchronized (this) {
            if (over || round != null) {
                return Optional.empty();
            }
            round = begun;
            waited = timer;
            timer = -1;
            known = outcome;
            answers.forEach((key, _) -> {
                OpenQuestion question = open.remove(key);
                if (question != null) {
                    answered.put(key, question);
                    openChars -= question.chars();
                }
            });
            more = !open.isEmpty();
        }
        registry.cancel(waited);
        entered(begun);
        answered.forEach((key, question) ->
                question.answer().tryComplete(new ClientAnswer.Answered(Objects.requireNonNull(answers.get(key)))));
        if (known != null) {
            ended(known);
        } else if (more) {
            registry.soon(this::ask);
        }
        return Optional.of(begun.reply().future());
    }

    /** If the client's request is cancelled while it waits, so is the call. */
    private void entered(Round begun) {
        begun.context()
                .onCancel(() -> end(
                        begun.context().remaining().isZero() ? KeptCalls.OVERDUE : KeptCalls.CANCELLED, begun::equals));
    }

    @Override
    public Future<ClientAnswer> ask(ClientQuestion question) {
        Promise<ClientAnswer> answer = Promise.promise();
        int chars = Json.text(question.params()).length();
        boolean alone;
        synchronized (this) {
            if (over || outcome != null || open.size() == MOST_OPEN || openChars + chars > MOST_CHARS) {
                return Future.succeededFuture(ClientAnswer.Declined.NOBODY);
            }
            asked++;
            openChars += chars;
            open.put("question-" + asked, new OpenQuestion(question, chars, answer));
            alone = open.size() == 1;
        }
        if (alone) {
            registry.soon(this::ask);
        }
        return answer.future();
    }

    /** Gives the client that waits all questions. */
    private void ask() {
        Round answered;
        ObjectNode requests = Json.object();
        synchronized (this) {
            answered = round;
            if (answered == null || open.isEmpty()) {
                return;
            }
            open.forEach((key, question) -> requests.set(key, question.json()));
            round = null;
            waitsSinceNanos = System.nanoTime();
            timer = registry.timer(this::late);
        }
        registry.waits(this);
        answered.reply().tryComplete(new RelayedReply.InputRequired(requests, KeptCalls.state(id)));
    }

    /** Ends the call if it still is in the wait of this timer. */
    private void late(long ofWait) {
        end(KeptCalls.CANCELLED, open -> open == null && timer == ofWait);
    }

    /** The server's request has ended. Without a client that waits, the outcome is kept until it comes. */
    private void ended(AsyncResult<BackendReply> end) {
        Round answered;
        List<OpenQuestion> unanswered;
        synchronized (this) {
            if (over) {
                return;
            }
            outcome = end;
            unanswered = List.copyOf(open.values());
            open.clear();
            answered = round;
            round = null;
            over = answered != null;
        }
        unanswered.forEach(question -> question.answer().tryComplete(ClientAnswer.Declined.LATE));
        if (answered != null) {
            registry.over(this);
            if (end.succeeded()) {
                answered.reply().tryComplete(end.result());
            } else {
                answered.reply().tryFail(end.cause());
            }
        }
    }

    /** Ends the call whatever it waits for. */
    void end(ToolReply.Failed why) {
        end(why, _ -> true);
    }

    /** Ends the call if no request of its client waits for it, so that nobody is told. */
    void endWaiting() {
        end(KeptCalls.CANCELLED, Objects::isNull);
    }

    /** Ends the call: its questions are answered with an error, then the server's request is cancelled. */
    private void end(ToolReply.Failed why, Predicate<@Nullable Round> condition) {
        Round answered;
        List<OpenQuestion> unanswered;
        List<Runnable> actions;
        synchronized (this) {
            answered = round;
            if (over || !condition.test(answered)) {
                return;
            }
            over = true;
            round = null;
            unanswered = List.copyOf(open.values());
            open.clear();
            actions = outcome == null ? onCancel : List.of();
            onCancel = List.of();
        }
        registry.over(this);
        unanswered.forEach(question -> question.answer().tryComplete(ClientAnswer.Declined.LATE));
        actions.forEach(Runnable::run);
        if (answered != null) {
            answered.reply().tryFail(new ToolException(why));
        }
    }

    /** Where events go; between two requests of the client, nobody hears them. */
    private synchronized CallContext current() {
        return round == null ? new QuietCallContext(first) : round.context();
    }

    @Override
    public Caller caller() {
        return first.caller();
    }

    @Override
    public String callId() {
        return first.callId();
    }

    @Override
    public void progress(double progress, @Nullable Double total, @Nullable String message) {
        current().progress(progress, total, message);
    }

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {
        current().log(level, logger, data);
    }

    /** The server is asked for events once; whether anybody hears them depends on the request that is open then. */
    @Override
    public boolean wantsEvents() {
        return true;
    }

    @Override
    public synchronized boolean waitsForClient() {
        return round == null && !open.isEmpty();
    }

    @Override
    public @Nullable LogLevel logLevel() {
        return current().logLevel();
    }

    @Override
    public CallingClient client() {
        return new CallingClient(first.client().capabilities(), CallingClient.AskMode.DURING_CALL, null);
    }

    @Override
    public Duration longest() {
        return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    }

    @Override
    public @Nullable SessionValues session() {
        return first.session();
    }

    @Override
    public Duration remaining() {
        Round now;
        synchronized (this) {
            now = round;
        }
        return now == null ? longest() : now.context().remaining();
    }

    @Override
    public boolean cancelled() {
        return over();
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (this) {
            if (!over) {
                onCancel.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public @Nullable String traceparent() {
        return first.traceparent();
    }

    @Override
    public CallSteps steps() {
        return first.steps();
    }
}
