package switchboard.backend.weaviate;

import io.vertx.core.Future;

/** A log that the end of can be read. */
interface LogSource {
    /** What the log is, for the caller. */
    String label();

    /** As much of the end of the log as is kept, oldest first. */
    Future<String> read();
}
