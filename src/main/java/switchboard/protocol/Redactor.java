package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.auth.Principal;

/**
 * Removes private data from a team's requests and results. Called on event loops, so it must not block. The futures
 * complete on the caller's context and fail with an {@link RpcException} only. Parameters must not be changed.
 */
public interface Redactor {
    /** Removes nothing. */
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

    /** The tool's {@code arguments} for validation, backend and audit log. */
    Future<ObjectNode> arguments(Principal principal, ObjectNode arguments);

    /** The part of {@code result} that the caller may see. */
    Future<ObjectNode> result(Principal principal, ObjectNode result);
}
