package switchboard.protocol;

import io.vertx.core.Future;

/** One MCP method. Thread-safe. */
public interface MethodHandler {
    /** How long a result may be cached, and by whom. */
    enum Caching {
        /** Not at all. */
        NONE,
        /** By the same caller. */
        PRIVATE,
        /** By anybody: it is the same for all callers. */
        PUBLIC
    }

    /** The method's name on the wire. */
    String method();

    /** Whether its results may be kept. */
    default Caching caching() {
        return Caching.NONE;
    }

    /** Answers a request; throws or fails with {@link RpcException} for an error that the caller should see. */
    Future<RpcResult> handle(RpcCall call);
}
