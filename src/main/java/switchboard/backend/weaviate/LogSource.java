package switchboard.backend.weaviate;

import io.vertx.core.Future;
import switchboard.call.CallContext;

/** A log whose end can be read. */
interface LogSource {
    /** Describes the log for the caller. */
    String label();

    /** The end of the log as far as it is kept, oldest line first. */
    Future<String> read(CallContext context);

    /** Releases its resources. */
    default Future<Void> close() {
        return Future.succeededFuture();
    }
}
