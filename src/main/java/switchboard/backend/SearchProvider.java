package switchboard.backend;

import io.vertx.core.Future;
import java.util.List;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;

/**
 * Searching a backend together with others. Every method respects the caller's scope and bindings, like the backend's
 * tools; a source that the caller may not see does not exist. Failures as in {@link ToolHandler#call}.
 */
public interface SearchProvider {
    /** The sources that the caller may search, sorted by name. */
    Future<BackendReply.Sources> sources(BackendRequest.ListSources request, CallContext context);

    /**
     * The best passages of one source. A condition that the engine can't apply fails with {@code INVALID_ARGUMENT}, one on
     * a field that the source does not know as {@link switchboard.call.UnknownFields#failure}; a hit that may not match is
     * never returned.
     */
    Future<BackendReply.Passages> search(BackendRequest.SearchSource request, CallContext context);

    /** Documents of a source; none of an engine that can't list them. */
    default Future<BackendReply.Documents> documents(BackendRequest.ListDocuments request, CallContext context) {
        return Future.succeededFuture(new BackendReply.Documents(List.of()));
    }

    /** A part of a document; {@code NOT_FOUND} if it does not exist for the caller. */
    Future<BackendReply.DocumentPart> read(BackendRequest.ReadDocument request, CallContext context);
}
