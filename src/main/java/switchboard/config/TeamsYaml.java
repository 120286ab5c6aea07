package switchboard.config;

import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * The text of a teams file, for edits that keep everything else: order, comments, layout. It knows YAML but not teams,
 * so callers must check the result. Immutable.
 */
public final class TeamsYaml {
    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setSchema(new CoreSchema()).build();

    private final String text;

    /** A text, which must be a valid teams file. */
    public TeamsYaml(String text) {
        this.text = text;
    }

    /** The text. */
    public String text() {
        return text;
    }

    /** Adds a key as the first of {@code team}. The team is added if it is missing. */
    public TeamsYaml withKey(String team, List<String> fields) {
        Optional<Node> teams = root().flatMap(root -> value(root, "teams"));
        if (teams.isEmpty()) {
            String gap = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
            return new TeamsYaml(text + gap + "teams:\n" + newTeam("  ", team, fields));
        }
        Node all = teams.get();
        if (!(all instanceof MappingNode mapping) || mapping.getValue().isEmpty()) {
            return replacedByBlock(all, newTeam("  ", team, fields));
        }
        Optional<Node> found = value(mapping, team);
        return found.isPresent() ? withKey(found.get(), fields, indent(mapping)) : withTeam(mapping, team, fields);
    }

    /** Removes the key whose {@code id} is {@code keyId}. Unchanged if there is none. */
    public TeamsYaml withoutKey(String keyId) {
        return root().flatMap(root -> value(root, "teams")).stream()
                .filter(MappingNode.class::isInstance)
                .flatMap(teams -> ((MappingNode) teams).getValue().stream())
                .flatMap(team -> value(team.getValueNode(), "keys").stream())
                .filter(SequenceNode.class::isInstance)
                .map(SequenceNode.class::cast)
                .flatMap(keys -> keys.getValue().stream()
                        .filter(key -> value(key, "id")
                                .filter(id -> id instanceof ScalarNode scalar
                                        && scalar.getValue().equals(keyId))
                                .isPresent())
                        .map(key -> without(keys, key)))
                .findFirst()
                .orElse(this);
    }

    private TeamsYaml withTeam(MappingNode teams, String team, List<String> fields) {
        return flow(teams)
                ? inserted(start(teams) + 1, quoted(team) + ": {keys: [" + flowKey(fields) + "]}, ")
                : inserted(lineStart(start(teams)), newTeam(indent(teams), team, fields));
    }

    private TeamsYaml withKey(Node team, List<String> fields, String teamIndent) {
        if (!(team instanceof MappingNode mapping)) {
            return replacedByBlock(team, keys(teamIndent + "  ", fields));
        }
        Optional<Node> keys = value(mapping, "keys");
        if (keys.isEmpty()) {
            String comma = mapping.getValue().isEmpty() ? "" : ", ";
            return flow(mapping)
                    ? inserted(start(mapping) + 1, "keys: [" + flowKey(fields) + "]" + comma)
                    : inserted(lineStart(start(mapping)), keys(indent(mapping), fields));
        }
        if (!(keys.get() instanceof SequenceNode sequence)
                || sequence.getValue().isEmpty()) {
            return replaced(keys.get(), " [" + flowKey(fields) + "]");
        }
        return flow(sequence)
                ? inserted(start(sequence) + 1, flowKey(fields) + ", ")
                : inserted(lineStart(start(sequence)), blockKey(indent(sequence), fields));
    }

    private TeamsYaml without(SequenceNode keys, Node key) {
        List<Node> all = keys.getValue();
        int at = all.indexOf(key);
        if (!flow(keys)) {
            int dash = text.lastIndexOf('-', start(key) - 1);
            int lineEnd = text.indexOf('\n', lastEnd(key));
            return cut(lineStart(dash), lineEnd < 0 ? text.length() : lineEnd + 1);
        }
        if (at + 1 < all.size()) {
            return cut(start(key), start(all.get(at + 1)));
        }
        return cut(at == 0 ? start(key) : lastEnd(all.get(at - 1)), lastEnd(key));
    }

    private static String newTeam(String indent, String team, List<String> fields) {
        return indent + quoted(team) + ":\n" + keys(indent + "  ", fields);
    }

    private static String keys(String indent, List<String> fields) {
        return indent + "keys:\n" + blockKey(indent + "  ", fields);
    }

    private static String blockKey(String indent, List<String> fields) {
        return indent + "- " + String.join("\n" + indent + "  ", fields) + "\n";
    }

    private static String flowKey(List<String> fields) {
        return "{" + String.join(", ", fields) + "}";
    }

    /** A name as a YAML scalar that is always read as text. */
    static String quoted(String name) {
        return name.matches("[A-Za-z][A-Za-z0-9_-]*") && !name.matches("(?i)null|true|false")
                ? name
                : "'" + name.replace("'", "''") + "'";
    }

    private Optional<Node> root() {
        return new Compose(SETTINGS).composeString(text).filter(node -> !node.getTag()
                .equals(Tag.NULL));
    }

    private static Optional<Node> value(Node mapping, String key) {
        return mapping instanceof MappingNode node
                ? node.getValue().stream()
                        .filter(tuple -> tuple.getKeyNode() instanceof ScalarNode name
                                && name.getValue().equals(key))
                        .map(NodeTuple::getValueNode)
                        .findFirst()
                : Optional.empty();
    }

    private TeamsYaml inserted(int at, String more) {
        return new TeamsYaml(text.substring(0, at) + more + text.substring(at));
    }

    private TeamsYaml replaced(Node node, String by) {
        return new TeamsYaml(text.substring(0, start(node)).stripTrailing() + by + text.substring(lastEnd(node)));
    }

    /** Replaces the value of a node by a block that begins on the next line. A comment on the node's own line stays. */
    private TeamsYaml replacedByBlock(Node node, String block) {
        int end = lastEnd(node);
        int lineEnd = text.indexOf('\n', end);
        String rest = text.substring(end, lineEnd < 0 ? text.length() : lineEnd).strip();
        return new TeamsYaml(text.substring(0, start(node)).stripTrailing()
                + (rest.isEmpty() ? "" : " " + rest)
                + "\n"
                + block
                + (lineEnd < 0 ? "" : text.substring(lineEnd + 1)));
    }

    private TeamsYaml cut(int from, int to) {
        return new TeamsYaml(text.substring(0, from) + text.substring(to));
    }

    private static boolean flow(CollectionNode<?> node) {
        return node.getFlowStyle() == FlowStyle.FLOW;
    }

    private String indent(Node node) {
        int start = start(node);
        return " ".repeat(start - lineStart(start));
    }

    private int lineStart(int offset) {
        return text.lastIndexOf('\n', offset - 1) + 1;
    }

    private int start(Node node) {
        return offset(node.getStartMark().orElseThrow());
    }

    /** The end of the last part of {@code node}. A block's own end mark is at the next token. */
    private int lastEnd(Node node) {
        return switch (node) {
            case MappingNode mapping
            when !flow(mapping) && !mapping.getValue().isEmpty() ->
                lastEnd(mapping.getValue().getLast().getValueNode());
            case SequenceNode sequence
            when !flow(sequence) && !sequence.getValue().isEmpty() ->
                lastEnd(sequence.getValue().getLast());
            default -> offset(node.getEndMark().orElseThrow());
        };
    }

    private int offset(Mark mark) {
        return text.offsetByCodePoints(0, mark.getIndex());
    }
}
