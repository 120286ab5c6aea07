package switchboard.federation;

import java.util.function.Function;
import switchboard.call.BackendReply;
import switchboard.call.ToolReply;

/** The reply of a backend to a part of a federated call: the expected one, or a failure. */
final class BackendCallReply {
    private BackendCallReply() {}

    /**
     * Maps either outcome.
     *
     * @param wanted the expected type of reply
     * @throws IllegalStateException if the reply is neither that nor a failure, which is a defect of the backend
     */
    static <T extends BackendReply, R> R either(
            BackendReply reply, Class<T> wanted, Function<T, R> got, Function<ToolReply.Failed, R> refused) {
        if (wanted.isInstance(reply)) {
            return got.apply(wanted.cast(reply));
        }
        if (reply instanceof ToolReply.Failed failed) {
            return refused.apply(failed);
        }
        throw new IllegalStateException("asked for " + wanted.getSimpleName() + ", a backend answered with "
                + reply.getClass().getSimpleName());
    }
}
