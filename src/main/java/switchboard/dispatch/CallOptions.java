package switchboard.dispatch;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendCall;
import switchboard.call.BackendEvent;
import switchboard.call.CallSteps;
import switchboard.call.Caller;
import switchboard.call.LogLevel;
import switchboard.call.SessionValues;

/**
 * Options of a call.
 *
 * @param timeout time limit of the answer
 * @param events receives progress and logs, or null; called on the context that sent the call
 * @param logLevel lowest level of wanted log events, or null for none
 * @param traceparent the W3C trace context, or null
 * @param session values that the caller's session keeps for the backend, or null without a session
 * @param interaction how the backend may involve the client
 * @param patient whether it waits for room as long as the timeout instead of a short time: for the only client of a
 *     pipe, for the work of a task, and for calls of another process, which has admitted them already
 * @param requester who requested the call, or null for the gateway itself and for other processes
 * @param steps is told of its steps
 */
public record CallOptions(
        Duration timeout,
        @Nullable Consumer<BackendEvent> events,
        @Nullable LogLevel logLevel,
        @Nullable String traceparent,
        @Nullable SessionValues session,
        ClientInteraction interaction,
        boolean patient,
        @Nullable Requester requester,
        CallSteps steps) {
    /** A call whose steps nobody wants to know. */
    public CallOptions(
            Duration timeout,
            @Nullable Consumer<BackendEvent> events,
            @Nullable LogLevel logLevel,
            @Nullable String traceparent,
            @Nullable SessionValues session,
            ClientInteraction interaction,
            boolean patient,
            @Nullable Requester requester) {
        this(timeout, events, logLevel, traceparent, session, interaction, patient, requester, CallSteps.NONE);
    }

    /** A call that waits for room for a short while only. */
    public CallOptions(
            Duration timeout,
            @Nullable Consumer<BackendEvent> events,
            @Nullable LogLevel logLevel,
            @Nullable String traceparent,
            @Nullable SessionValues session,
            ClientInteraction interaction) {
        this(timeout, events, logLevel, traceparent, session, interaction, false, null);
    }

    /** A call whose progress, and logs of {@code logLevel} and above, {@code events} receives. */
    public static CallOptions withEvents(
            Duration timeout, @Nullable Consumer<BackendEvent> events, @Nullable LogLevel logLevel) {
        return new CallOptions(timeout, events, logLevel, null, null, ClientInteraction.NONE);
    }

    /** The events that are wanted of such a call. */
    BackendCall.WantedEvents wanted() {
        return new BackendCall.WantedEvents(
                events != null, logLevel, requester != null && requester.notes().areWanted(), steps);
    }

    /** The same for a call that has used up {@code waited} of its time. */
    CallOptions after(Duration waited) {
        return new CallOptions(
                timeout.minus(waited), events, logLevel, traceparent, session, interaction, patient, requester, steps);
    }

    /** The same in another trace context. */
    CallOptions in(@Nullable String other) {
        return new CallOptions(timeout, events, logLevel, other, session, interaction, patient, requester, steps);
    }

    /** The same, requested by {@code who}. */
    public CallOptions by(Requester who) {
        return new CallOptions(timeout, events, logLevel, traceparent, session, interaction, patient, who, steps);
    }

    /**
     * Options for a part of this call: in its trace and with its patience, without events and questions. If it is made for
     * another caller than the requester, it has no requester, so that the requester's access token is not used for it.
     */
    CallOptions part(Caller caller, Duration longest) {
        return new CallOptions(
                longest,
                null,
                null,
                traceparent,
                null,
                ClientInteraction.NONE,
                patient,
                caller.inspector() == null ? requester : null,
                steps);
    }

    /** The same, waiting for room as long as the answer is wanted. */
    public CallOptions patiently() {
        return new CallOptions(timeout, events, logLevel, traceparent, session, interaction, true, requester, steps);
    }

    /** The same, which tells {@code other} of its steps. */
    public CallOptions telling(CallSteps other) {
        return new CallOptions(timeout, events, logLevel, traceparent, session, interaction, patient, requester, other);
    }
}
