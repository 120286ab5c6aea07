package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;

/** A request that the other server answered with a JSON-RPC error. */
public final class RpcFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** The server has no such method. */
    public static final int METHOD_NOT_FOUND = -32601;
    /** The other side has an internal error. */
    public static final int INTERNAL = -32603;
    /** The parameters are not valid, or name something that does not exist. */
    public static final int INVALID_PARAMS = -32602;
    /** There is no such resource, up to 2025-11-25. */
    public static final int RESOURCE_NOT_FOUND = -32002;
    /** The client lacks a capability, from 2026-07-28 on. */
    public static final int MISSING_CAPABILITY = -32021;
    /** The server does not support the version, from 2026-07-28 on. */
    public static final int UNSUPPORTED_VERSION = -32022;

    private final int code;
    private final String text;
    private final transient JsonNode data;

    /** The error in {@code error}. */
    RpcFailure(JsonNode error) {
        super(error.path("code").asText(), null, false, false);
        this.code = error.path("code").asInt();
        this.text = error.path("message").asText("no message");
        this.data = error.path("data");
    }

    /** Its code. */
    public int code() {
        return code;
    }

    /** The server's message; not trusted. */
    public String text() {
        return text;
    }

    /** Additional data; a missing node if there is none. */
    public JsonNode data() {
        return data;
    }
}
