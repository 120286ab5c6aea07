package switchboard.dispatch;

import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;

/** Notified of each backend call, refused ones included. Thread-safe; must not block. */
@FunctionalInterface
public interface CallObserver {
    /** Does nothing. */
    CallObserver NONE = (_, _, traceparent) -> new Observation() {
        @Override
        public @Nullable String traceparent() {
            return traceparent;
        }

        @Override
        public void ended(BackendReply reply) {}
    };

    /**
     * A call begins.
     *
     * @param traceparent the W3C trace context that it belongs to, or null
     */
    Observation began(String backendId, BackendRequest request, @Nullable String traceparent);

    /** One call that is observed. */
    interface Observation {
        /** The W3C trace context for the call's work, or null. */
        @Nullable
        String traceparent();

        /** The call is over, with this reply. */
        void ended(BackendReply reply);
    }
}
