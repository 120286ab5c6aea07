package switchboard.dispatch;

import io.vertx.core.Future;
import switchboard.call.BackendReply;

/** A call on its way. */
public interface PendingCall {
    /** What it comes to; never fails: refusals, timeouts and defects are {@code ToolReply.Failed} values. */
    Future<BackendReply> reply();

    /** Takes the call back: the backend is told to stop, and the reply becomes {@code CANCELLED} if it had not come. */
    void cancel();
}
