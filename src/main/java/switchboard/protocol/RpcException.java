package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request that ends in a JSON-RPC error; its message is shown to the caller. */
public final class RpcException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RpcError error;
    private final String text;
    private final transient @Nullable ObjectNode data;
    private final transient Map<String, String> headers;

    /** An error with data, or null for none, and headers for HTTP. */
    public RpcException(RpcError error, String text, @Nullable ObjectNode data, Map<String, String> headers) {
        super(text, null, false, false);
        this.error = error;
        this.text = text;
        this.data = data;
        this.headers = Map.copyOf(headers);
    }

    /** An error with data, or null for none. */
    public RpcException(RpcError error, String text, @Nullable ObjectNode data) {
        this(error, text, data, Map.of());
    }

    /** An error. */
    public RpcException(RpcError error, String text) {
        this(error, text, null);
    }

    /** The error. */
    public RpcError error() {
        return error;
    }

    /** The same in words. */
    public String text() {
        return text;
    }

    /** The {@code data} of the error. */
    public @Nullable ObjectNode data() {
        return data;
    }

    /** Headers of the answer, for HTTP. */
    public Map<String, String> headers() {
        return headers;
    }
}
