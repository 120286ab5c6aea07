package switchboard.backend;

import io.vertx.core.Future;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;

/**
 * How a backend takes part in searches over all backends. Every method keeps to the caller's scope and bindings, as the
 * backend's tools do; a source that the caller may not see does not exist. Failures as in {@link ToolHandler#call}.
 */
public interface SearchProvider {
    /** What the caller may search, sorted by name. */
    Future<BackendReply.Sources> sources(CallContext context);

    /**
     * The best passages of one source. A condition that the engine can't apply fails with {@code INVALID_ARGUMENT}: a
     * hit that might break it is never returned.
     */
    Future<BackendReply.Passages> search(BackendRequest.SearchSource request, CallContext context);

    /** A part of a document; {@code NOT_FOUND} if there is none for the caller. */
    Future<BackendReply.DocumentPart> read(BackendRequest.ReadDocument request, CallContext context);
}
