package switchboard.dispatch;

import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;

/** Told of each call of a backend when it begins, refused ones too. Thread-safe; must not block. */
@FunctionalInterface
public interface CallObserver {
    /** Nobody. */
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
        /** The W3C trace context of what is done for the call, or null. */
        @Nullable
        String traceparent();

        /** The call is over, with this reply. */
        void ended(BackendReply reply);
    }
}
