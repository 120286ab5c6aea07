package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import switchboard.call.Json;

/** What a method returns, before its era adds what it wants to see on every result. */
public sealed interface RpcResult {
    /** The fields of the result; the era may add to them. */
    ObjectNode fields();

    /** A JSON object. */
    record Tree(ObjectNode fields) implements RpcResult {}

    /** A field {@code name} whose {@code value} is JSON already, followed by {@code fields}; must not be changed. */
    record Encoded(String name, byte[] value, ObjectNode fields) implements RpcResult {}

    /**
     * A JSON object that may not be too large.
     *
     * @param maxBytes how large it may be, what is in it twice counted once
     * @param twice how many bytes of it say again what it says elsewhere
     * @param instead what to return where it is larger, given its size
     */
    record SizeLimited(
            ObjectNode fields, int maxBytes, ToIntFunction<ObjectNode> twice, IntFunction<ObjectNode> instead)
            implements RpcResult {
        /** The same bounds for other fields. */
        SizeLimited with(ObjectNode others) {
            return new SizeLimited(others, maxBytes, twice, instead);
        }
    }

    /** {@code {}}. */
    static RpcResult empty() {
        return new Tree(Json.object());
    }
}
