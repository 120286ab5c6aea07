package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.auth.Principal;

/**
 * Takes out of what a team sends and gets what its operator does not want to pass. Called on event loops: must not
 * block; the futures complete on the caller's context and fail with an {@link RpcException} only. What is given must not
 * be changed.
 */
public interface Redactor {
    /** Takes nothing out. */
    Redactor NONE = new Redactor() {
        @Override
        public Future<ObjectNode> arguments(Principal principal, ObjectNode arguments) {
            return Future.succeededFuture(arguments);
        }

        @Override
        public Future<ObjectNode> result(Principal principal, ObjectNode result) {
            return Future.succeededFuture(result);
        }
    };

    /** What of a tool's {@code arguments} may go on to validation, backend and audit log. */
    Future<ObjectNode> arguments(Principal principal, ObjectNode arguments);

    /** What of a {@code result} the caller may see. */
    Future<ObjectNode> result(Principal principal, ObjectNode result);
}
