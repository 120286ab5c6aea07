package switchboard.call;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Optional;

/** The arguments of a call: an immutable JSON object, so it may be shared between threads. */
public final class Arguments {
    private final ObjectNode object;

    private Arguments(ObjectNode object) {
        this.object = object;
    }

    /** The arguments in {@code object}, which the caller must not change afterwards. */
    public static Arguments of(ObjectNode object) {
        return new Arguments(object);
    }

    /** The value at {@code pointer}, if present and not null. */
    public Optional<JsonNode> at(JsonPointer pointer) {
        JsonNode node = object.at(pointer);
        return node.isMissingNode() || node.isNull() ? Optional.empty() : Optional.of(node);
    }

    /** The same without {@code names}. */
    public Arguments without(Collection<String> names) {
        ObjectNode rest = Json.object();
        rest.setAll(object);
        return new Arguments(rest.remove(names));
    }

    /** A private copy of the object. */
    public ObjectNode copy() {
        return object.deepCopy();
    }

    /**
     * Converts the arguments to a record.
     *
     * @throws IllegalArgumentException if they don't fit. This can't happen after validation against a schema with the
     *     same properties as the record, which is checked at start
     */
    public <T> T bind(Class<T> type) {
        try {
            return Json.mapper().treeToValue(object, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "arguments do not fit " + type.getName() + ": " + e.getOriginalMessage(), e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Arguments that && object.equals(that.object);
    }

    @Override
    public int hashCode() {
        return object.hashCode();
    }

    /** Contains the names only, because values may be secret. */
    @Override
    public String toString() {
        return "Arguments"
                + object.properties().stream().map(java.util.Map.Entry::getKey).toList();
    }
}
