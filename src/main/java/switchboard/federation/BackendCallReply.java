package switchboard.federation;

import java.util.function.Function;
import switchboard.call.BackendReply;
import switchboard.call.ToolReply;

/** What a backend answered to a part of a composed call: what it was asked for, or why not. */
final class BackendCallReply {
    private BackendCallReply() {}

    /**
     * One outcome of either.
     *
     * @param wanted what such a request is answered with
     * @throws IllegalStateException if it is neither: the backend broke its contract
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
