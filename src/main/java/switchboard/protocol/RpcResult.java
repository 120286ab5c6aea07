package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import switchboard.call.Json;

/** The result of a method, before the era's fields are added. */
public sealed interface RpcResult {
    /** The fields of the result; the era may add to them. */
    ObjectNode fields();

    /** A JSON object. */
    record Tree(ObjectNode fields) implements RpcResult {}

    /** A field {@code name} whose {@code value} is encoded JSON, followed by {@code fields}; must not be changed. */
    record Encoded(String name, byte[] value, ObjectNode fields) implements RpcResult {}

    /** The same with a {@code value} that many answers share. */
    record Shared(String name, SharedJson value, ObjectNode fields) implements RpcResult {}

    /**
     * A JSON object with a maximum size.
     *
     * @param maxBytes maximum size, with repeated content counted once
     * @param twice how many bytes of it repeat content
     * @param instead the result if it is larger, given its size
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
