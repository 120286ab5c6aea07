package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Budget;
import switchboard.call.AnswerNotes;
import switchboard.call.CallSteps;
import switchboard.call.RecordedSteps;
import switchboard.call.Tracing;
import switchboard.telemetry.AnsweredCall;
import switchboard.telemetry.FinishedRequest;
import switchboard.telemetry.RequestCaller;
import switchboard.telemetry.RequestSource;

/** Collects data about a request while it is answered, for the observer. Used on one event loop only. */
public final class OperationRecorder {
    private final InboundMessage inboundMessage;
    private final String method;
    private final ProtocolVersion version;
    private final long startNanos = System.nanoTime();
    private @Nullable String tool;
    private @Nullable String error;
    private @Nullable Integer code;
    private List<String> resources = List.of();
    private List<String> claims = List.of();
    private final String requestId = RequestSource.newId();
    private Tracing.Span span = new Tracing.NoopSpan(null);
    private FinishedRequest.AccessDecision decision = FinishedRequest.AccessDecision.ALLOWED;
    private @Nullable String limit;
    private @Nullable String unknownTool;
    private @Nullable ObjectNode arguments;
    private Budget.@Nullable Lease lease;
    private String backend = "";
    private @Nullable RecordedSteps steps;
    private AnswerNotes notes = AnswerNotes.NONE;

    OperationRecorder(InboundMessage inboundMessage, String method, ProtocolVersion version) {
        this.inboundMessage = inboundMessage;
        this.method = method;
        this.version = version;
    }

    /** A record of work that goes on after the request, as {@code other} method, with the same tool, resources and claims. */
    OperationRecorder again(InboundMessage message, String other) {
        OperationRecorder work = new OperationRecorder(message, other, version);
        work.tool = tool;
        work.resources = resources;
        work.claims = claims;
        work.backend = backend;
        if (steps != null) {
            work.recordSteps();
        }
        if (notes.areWanted()) {
            work.takeNotes();
        }
        return work;
    }

    /** Keeps the steps of the request. */
    void recordSteps() {
        steps = new RecordedSteps(startNanos);
    }

    /** Its answer is for the search log. */
    void takeNotes() {
        notes = AnswerNotes.wanted();
    }

    /** What the search log should know of the answer. */
    public AnswerNotes notes() {
        return notes;
    }

    /** Is told of the request's steps. */
    CallSteps steps() {
        return steps == null ? CallSteps.NONE : steps;
    }

    /** The tool that is called, by its name in the view, and whose it is. */
    public void tool(String name, String of) {
        tool = name;
        backend = of;
    }

    /** A tool was requested that does not exist for this caller. */
    public void unknownTool(String name) {
        unknownTool = name;
        decision = FinishedRequest.AccessDecision.UNKNOWN;
    }

    /** Sets the decision of the access rules; {@link FinishedRequest.AccessDecision#ALLOWED} by default. */
    public void decided(FinishedRequest.AccessDecision said) {
        decision = said;
    }

    /** The limit of that name, as in the teams file, is reached. */
    public void limited(String name) {
        limit = name;
        decision = FinishedRequest.AccessDecision.LIMITED;
    }

    /** The tool's arguments; they will not be changed. */
    public void arguments(ObjectNode given) {
        arguments = given;
    }

    /** Sets the request's span. Spans of its parts belong to it. */
    void trace(Tracing.Span whole) {
        span = whole;
    }

    /** The W3C trace context for the request's work, or null. */
    @Nullable
    String traceparent() {
        return span.traceparent();
    }

    /** The gateway's own name for it. */
    public String requestId() {
        return requestId;
    }

    /** The resources that the arguments name. */
    public void resources(List<String> names) {
        resources = List.copyOf(names);
    }

    /** The names of the claims that decide what the caller is bound to. */
    public void claims(List<String> names) {
        claims = names;
    }

    /** The part of the team's budget that the request uses until it ends. */
    public void lease(Budget.Lease granted) {
        lease = granted;
    }

    /** Gives the part of the budget away, to work that goes on after the request. */
    public Budget.@Nullable Lease handOver() {
        Budget.Lease given = lease;
        lease = null;
        return given;
    }

    /** Its work is tried again, so that what has failed before does not count. */
    public void triedAgain() {
        error = null;
    }

    /** It failed with {@code kind}, a {@code FailureKind}. */
    public void failed(String kind) {
        error = kind;
    }

    /** It is answered with an error of the protocol, which has the JSON-RPC code {@code shown}. */
    void refused(RpcError why, int shown) {
        error = why.name();
        code = shown;
    }

    /** What its tool, which has the name {@code called} at its backend, has answered until now. */
    public AnsweredCall answer(String called, ObjectNode given, ObjectNode structured) {
        return new AnsweredCall(source(), caller(), backend, called, given, structured, elapsed(), notes);
    }

    private RequestSource source() {
        return new RequestSource(requestId, span.traceparent(), inboundMessage.address(), inboundMessage.view());
    }

    private RequestCaller caller() {
        return new RequestCaller(
                inboundMessage.principal().team(), inboundMessage.principal().id(), claims);
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    /** It is over, and was answered with {@code answer}. */
    void finish(OperationObserver observer, EncodedJson answer) {
        if (lease != null) {
            lease.end(answer.bytes());
        }
        FinishedRequest request = new FinishedRequest(
                source(),
                caller(),
                new FinishedRequest.Channel(inboundMessage.transport(), version.text()),
                new FinishedRequest.Subject(method, tool, unknownTool, resources, arguments),
                new FinishedRequest.Outcome(decision, limit, error, code),
                elapsed(),
                answer.length(),
                new FinishedRequest.RequestWork(
                        backend, steps == null ? List.of() : steps.steps(), steps == null ? 0 : steps.omitted()));
        span.end(request::span);
        observer.finished(request);
    }
}
