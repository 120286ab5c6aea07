package switchboard.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Converts YAML values of any shape to JSON. */
final class YamlToJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private YamlToJson() {}

    static JsonNode of(Node node) {
        return switch (node) {
            case MappingNode mapping -> object(mapping);
            case SequenceNode sequence -> array(sequence);
            case ScalarNode scalar -> scalar(scalar);
            default -> throw new IllegalArgumentException("can't be written as JSON");
        };
    }

    private static ObjectNode object(MappingNode mapping) {
        ObjectNode object = JSON.objectNode();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new IllegalArgumentException("has a key that is not a plain word");
            }
            if (object.has(key.getValue())) {
                throw new IllegalArgumentException("has the key \"" + key.getValue() + "\" twice");
            }
            object.set(key.getValue(), of(tuple.getValueNode()));
        }
        return object;
    }

    private static ArrayNode array(SequenceNode sequence) {
        ArrayNode array = JSON.arrayNode();
        sequence.getValue().forEach(item -> array.add(of(item)));
        return array;
    }

    private static JsonNode scalar(ScalarNode scalar) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        if (tag.equals(Tag.NULL)) {
            return JSON.nullNode();
        }
        if (tag.equals(Tag.BOOL)) {
            return JSON.booleanNode(Boolean.parseBoolean(text));
        }
        try {
            if (tag.equals(Tag.INT)) {
                return JSON.numberNode(new BigInteger(text));
            }
            if (tag.equals(Tag.FLOAT)) {
                return JSON.numberNode(new BigDecimal(text));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("has the number " + text + ", which JSON can't express", e);
        }
        return JSON.textNode(text);
    }
}
