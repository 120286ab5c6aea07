package switchboard.backend;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.Caller;

/** A backend's MCP resources. Failures as in {@link ToolHandler#call}. */
public interface ResourceProvider {
    /** A page of the resources that the caller may see. {@code cursor} is one of this provider's, or null. */
    Future<BackendReply.Resources> list(@Nullable String cursor, CallContext context);

    /** A page of the resource templates. */
    Future<BackendReply.Resources> templates(@Nullable String cursor, CallContext context);

    /** The URIs and URI templates of another server's lists, as they were read last; must not block. */
    default Set<String> listed() {
        return Set.of();
    }

    /** Whether {@code uri} may belong to this provider. */
    boolean owns(String uri);

    /** The resource that {@code uri} belongs to, by its name in grants and views, if it can be determined. */
    default Optional<String> resource(String uri) {
        return Optional.empty();
    }

    /** The maximum number of resources that {@link #watch} accepts; 0 if it passes nothing on. */
    default int watchable() {
        return 0;
    }

    /** Whether {@link #watch} may be asked for {@code uri} on behalf of {@code caller}. */
    default boolean watchable(String uri, Caller caller) {
        return false;
    }

    /**
     * Has the other server announce changes of these resources, and of no others. Completes when it was asked, or can't be
     * asked now; must not block.
     */
    default Future<Void> watch(Set<String> uris) {
        return Future.succeededFuture();
    }

    /**
     * The contents of {@code uri}; empty if there is no such resource for the caller. Contents of another server may
     * be a {@code Relayed} reply instead.
     */
    Future<? extends BackendReply> read(String uri, CallContext context);

    /** Values for a variable of a template. */
    Future<BackendReply.Completion> complete(String template, String argument, String value, CallContext context);
}
