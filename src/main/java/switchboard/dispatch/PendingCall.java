package switchboard.dispatch;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import java.util.function.Consumer;
import switchboard.call.BackendReply;

/** A call on its way. */
public interface PendingCall {
    /** What it comes to; never fails: refusals, timeouts and defects are {@code ToolReply.Failed} values. */
    Future<BackendReply> reply();

    /** Takes the call back: the backend is told to stop, and the reply becomes {@code CANCELLED} if it had not come. */
    void cancel();

    /** The same call, whose reply {@code first} is told before anybody who asks the result for it. */
    default PendingCall heardBy(Consumer<BackendReply> first) {
        PendingCall call = this;
        Future<BackendReply> heard = reply().map(also(first));
        return new PendingCall() {
            @Override
            public Future<BackendReply> reply() {
                return heard;
            }

            @Override
            public void cancel() {
                call.cancel();
            }
        };
    }
}
