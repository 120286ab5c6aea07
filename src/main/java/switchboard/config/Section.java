package switchboard.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A YAML mapping with its keys in order, each once. Duplicates are recorded as problems and dropped. */
final class Section {
    private final String where;
    private final Map<String, NodeTuple> entries = new LinkedHashMap<>();

    private Section(String where) {
        this.where = where;
    }

    /** A section that is not in the file. {@code where} is the place to report for it. */
    static Section absent(String where) {
        return new Section(where);
    }

    static Section of(MappingNode node, String where, Problems problems) {
        Section section = new Section(where);
        for (NodeTuple tuple : node.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problems.add(tuple.getKeyNode(), "a key is a plain word, not a list or a mapping");
                continue;
            }
            NodeTuple earlier = section.entries.putIfAbsent(key.getValue(), tuple);
            if (earlier != null) {
                problems.add(
                        key,
                        "the key \"" + key.getValue() + "\" occurs twice; first at "
                                + problems.where(earlier.getKeyNode()));
            }
        }
        return section;
    }

    /** Records a problem for every key that is not in {@code known}. */
    void refuseOthers(Collection<String> known, String path, Problems problems) {
        entries.forEach((key, tuple) -> {
            if (!known.contains(key)) {
                problems.add(
                        tuple.getKeyNode(),
                        "unknown key \"" + key + "\"" + in(path) + UnknownNames.suggestion(key, known));
            }
        });
    }

    private static String in(String path) {
        return path.isEmpty() ? "" : " in " + path;
    }

    Optional<Node> value(String key) {
        return Optional.ofNullable(entries.get(key)).map(NodeTuple::getValueNode);
    }

    /** The position of a key, or of its section if the key is missing. */
    String where(String key, Problems problems) {
        NodeTuple tuple = entries.get(key);
        return tuple == null ? where : problems.where(tuple.getKeyNode());
    }

    String where() {
        return where;
    }

    List<String> keys() {
        return List.copyOf(entries.keySet());
    }
}
