package switchboard.backend.weaviate;

import io.vertx.core.Future;
import switchboard.call.CallContext;

/** A log that the end of can be read. */
interface LogSource {
    /** What the log is, for the caller. */
    String label();

    /** As much of the end of the log as is kept, oldest first. */
    Future<String> read(CallContext context);

    /** Lets go of what it holds. */
    default Future<Void> close() {
        return Future.succeededFuture();
    }
}
