package switchboard.app;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.Redaction;
import switchboard.console.FinishedCall;
import switchboard.console.RecentCalls;
import switchboard.console.UsageKey;
import switchboard.console.UsageOutcome;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.OperationObserver;
import switchboard.telemetry.FinishedRequest;
import switchboard.telemetry.RequestSource;
import switchboard.text.SurrogatePairs;

/** Keeps the last calls for the console, and counts all; nothing where there is none. Thread-safe. */
final class LiveCalls implements OperationObserver, AutoCloseable {
    private static final int LONGEST_NAME = 128;

    /** Requests about a call that has been counted when it began. */
    private static final String OF_A_TASK = "tasks/";

    private final RecentCalls recent = new RecentCalls();
    private final GatewayUsage usage;
    private final BooleanSupplier watchable;
    private final Clock clock;

    /**
     * No calls yet.
     *
     * @param watchable whether there is a console
     * @param usage where they are counted
     */
    LiveCalls(BooleanSupplier watchable, GatewayUsage usage, Clock clock) {
        this.watchable = watchable;
        this.clock = clock;
        this.usage = usage;
    }

    RecentCalls recent() {
        return recent;
    }

    GatewayUsage usage() {
        return usage;
    }

    @Override
    public boolean wantsSteps() {
        return watchable.getAsBoolean();
    }

    @Override
    public void finished(FinishedRequest request) {
        FinishedRequest.Subject subject = request.subject();
        boolean call = subject.tool() != null
                || subject.unknownTool() != null
                || !request.work().steps().isEmpty();
        if (call && watchable.getAsBoolean()) {
            recent.add(shown(request));
            if (!subject.method().startsWith(OF_A_TASK)) {
                count(request);
            }
        }
    }

    /** By names that exist: what a caller makes up has none. */
    private void count(FinishedRequest request) {
        FinishedRequest.Outcome outcome = request.outcome();
        usage.counted()
                .count(
                        new UsageKey(
                                request.caller().team(),
                                backend(request),
                                Objects.requireNonNullElse(request.subject().tool(), "")),
                        UsageOutcome.of(outcome.decision() == FinishedRequest.AccessDecision.ALLOWED, outcome.error()),
                        1,
                        request.resultBytes(),
                        request.duration());
    }

    private FinishedCall shown(FinishedRequest request) {
        FinishedRequest.Outcome outcome = request.outcome();
        return new FinishedCall(
                clock.instant(),
                new FinishedCall.CallerKey(
                        request.caller().team(), request.caller().key()),
                new FinishedCall.CalledTool(request.subject().method(), tool(request.subject()), backend(request)),
                new FinishedCall.CallOutcome(
                        outcome.decision().name().toLowerCase(Locale.ROOT),
                        outcome.error() == null ? "ok" : outcome.error().toLowerCase(Locale.ROOT),
                        1),
                new FinishedCall.CallEffort(
                        request.duration(),
                        request.resultBytes(),
                        request.work().steps(),
                        request.work().omitted()),
                ids(request.source()));
    }

    /** The name of a tool that does not exist is the caller's text, with what may be in it. */
    private static String tool(FinishedRequest.Subject subject) {
        String unknown = subject.unknownTool();
        return unknown == null
                ? Objects.requireNonNullElse(subject.tool(), "")
                : Redaction.SECRETS.text(SurrogatePairs.start(unknown, LONGEST_NAME));
    }

    private static String backend(FinishedRequest request) {
        FinishedRequest.RequestWork work = request.work();
        return work.backend().isEmpty() && !work.steps().isEmpty()
                ? work.steps().getFirst().backend()
                : work.backend();
    }

    private static FinishedCall.CallIds ids(RequestSource source) {
        return new FinishedCall.CallIds(source.requestId(), source.traceId());
    }

    @Override
    public void limited(InboundMessage message, String limit, int calls) {
        if (watchable.getAsBoolean()) {
            recent.add(new FinishedCall(
                    clock.instant(),
                    new FinishedCall.CallerKey(
                            message.principal().team(), message.principal().id()),
                    new FinishedCall.CalledTool("", "", ""),
                    new FinishedCall.CallOutcome("limited", limit, calls),
                    new FinishedCall.CallEffort(Duration.ZERO, 0, List.of(), 0),
                    ids(RequestSource.unread(header(message), message.address(), message.view()))));
            usage.counted()
                    .count(
                            new UsageKey(message.principal().team(), "", ""),
                            UsageOutcome.REFUSED,
                            calls,
                            0,
                            Duration.ZERO);
        }
    }

    private static @Nullable String header(InboundMessage message) {
        return message.header("traceparent");
    }

    /** Nobody watches any more. */
    @Override
    public void close() {
        recent.close();
    }
}
