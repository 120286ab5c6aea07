package switchboard.protocol;

/** Errors of requests, with their code and their HTTP status in the modern era. */
public enum RpcError {
    PARSE(-32700, 400),
    INVALID_REQUEST(-32600, 400),
    /** Neither JSON nor a stream of events is acceptable to the caller. */
    NOT_ACCEPTABLE(-32600, 406),
    /** The access token lacks scopes that the request needs. */
    INSUFFICIENT_SCOPE(-32600, 403),
    METHOD_NOT_FOUND(-32601, 404),
    INVALID_PARAMS(-32602, 200),
    /** A required field of {@code _meta} is missing or malformed. */
    INVALID_ENVELOPE(-32602, 400),
    RESOURCE_NOT_FOUND(-32602, 200),
    INTERNAL(-32603, 200),
    /** The server can't answer now; the client may try again later. */
    UNAVAILABLE(-32603, 503),
    HEADER_MISMATCH(-32020, 400),
    MISSING_CAPABILITY(-32021, 400),
    UNSUPPORTED_VERSION(-32022, 400);

    private final int code;
    private final int status;

    RpcError(int code, int status) {
        this.code = code;
        this.status = status;
    }

    /** The JSON-RPC code. */
    public int code() {
        return code;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }
}
