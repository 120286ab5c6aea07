package switchboard.protocol;

import java.time.Duration;
import java.util.List;
import switchboard.telemetry.AnsweredCall;
import switchboard.telemetry.FinishedRequest;

/** Notified of every finished request. Called on event loops: must not block. */
public interface OperationObserver {
    /** Does nothing. */
    OperationObserver NONE = _ -> {};

    /** All of {@code observers}, in this order. */
    static OperationObserver all(List<OperationObserver> observers) {
        return new OperationObserver() {
            @Override
            public boolean wantsSteps() {
                return observers.stream().anyMatch(OperationObserver::wantsSteps);
            }

            @Override
            public void finished(FinishedRequest request) {
                observers.forEach(observer -> observer.finished(request));
            }

            @Override
            public boolean wantsAnswers(String team) {
                return observers.stream().anyMatch(observer -> observer.wantsAnswers(team));
            }

            @Override
            public void answered(AnsweredCall answer) {
                observers.stream()
                        .filter(observer ->
                                observer.wantsAnswers(answer.caller().team()))
                        .forEach(observer -> observer.answered(answer));
            }

            @Override
            public void limited(InboundMessage inboundMessage, String limit, int calls) {
                observers.forEach(observer -> observer.limited(inboundMessage, limit, calls));
            }

            @Override
            public void sessionEnded(Duration age) {
                observers.forEach(observer -> observer.sessionEnded(age));
            }
        };
    }

    /** Whether it wants to know the steps of requests. */
    default boolean wantsSteps() {
        return false;
    }

    /** A request was answered, or its caller went away. */
    void finished(FinishedRequest request);

    /** Whether it wants to know what tools answer callers of {@code team}. */
    default boolean wantsAnswers(String team) {
        return false;
    }

    /**
     * A tool has answered a team that is {@linkplain #wantsAnswers wanted}, with structured content. Called before
     * {@link #finished}.
     */
    default void answered(AnsweredCall answer) {}

    /** The rate {@code limit} of its team or key refused the message, of so many {@code calls}, before any work. */
    default void limited(InboundMessage inboundMessage, String limit, int calls) {}

    /** A legacy session of that age has ended, for whatever reason. */
    default void sessionEnded(Duration age) {}
}
