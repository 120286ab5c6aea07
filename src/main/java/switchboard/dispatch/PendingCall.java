package switchboard.dispatch;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import java.util.function.Consumer;
import switchboard.call.BackendReply;

/** A call under way. */
public interface PendingCall {
    /** The reply; never fails: refusals, timeouts and defects are {@code ToolReply.Failed} values. */
    Future<BackendReply> reply();

    /** Cancels the call: the backend is notified, and the reply becomes {@code CANCELLED} if there is none yet. */
    void cancel();

    /** The same call; {@code first} receives the reply before anybody else. */
    default PendingCall onReply(Consumer<BackendReply> first) {
        PendingCall call = this;
        Future<BackendReply> reply = reply().map(also(first));
        return new PendingCall() {
            @Override
            public Future<BackendReply> reply() {
                return reply;
            }

            @Override
            public void cancel() {
                call.cancel();
            }
        };
    }
}
