package switchboard.backend;

import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;

/** A backend's MCP resources. Failures as in {@link ToolHandler#call}. */
public interface ResourceProvider {
    /** A page of the resources that the caller may see; {@code cursor} is one of this provider's own, or null. */
    Future<BackendReply.Resources> list(@Nullable String cursor, CallContext context);

    /** A page of the templates. */
    Future<BackendReply.Resources> templates(@Nullable String cursor, CallContext context);

    /** Whether {@code uri} could be one of this provider's. */
    boolean owns(String uri);

    /** What grants and views call the resource that {@code uri} is a part of, where that can be told. */
    default Optional<String> resource(String uri) {
        return Optional.empty();
    }

    /**
     * The contents of {@code uri}; empty if there is no such resource for the caller. Another server's may be a {@code
     * Relayed} reply instead.
     */
    Future<? extends BackendReply> read(String uri, CallContext context);

    /** Values for a variable of a template. */
    Future<BackendReply.Completion> complete(String template, String argument, String value, CallContext context);
}
