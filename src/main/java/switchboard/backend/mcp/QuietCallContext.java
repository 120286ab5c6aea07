package switchboard.backend.mcp;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.DetachedCallContext;

/**
 * The context of a request that is one part of a larger call: made for the same caller and ended with the call, but the client
 * is asked nothing, and hears nothing of its progress.
 */
record QuietCallContext(CallContext call) implements DetachedCallContext {
    @Override
    public Caller caller() {
        return call.caller();
    }

    @Override
    public String callId() {
        return call.callId();
    }

    @Override
    public Duration remaining() {
        return call.remaining();
    }

    @Override
    public boolean cancelled() {
        return call.cancelled();
    }

    @Override
    public void onCancel(Runnable action) {
        call.onCancel(action);
    }

    @Override
    public @Nullable String traceparent() {
        return call.traceparent();
    }
}
