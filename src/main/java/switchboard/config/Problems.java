package switchboard.config;

import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects problems, so that all of them are reported together. */
final class Problems {
    private final String fileName;
    private final List<Problem> list = new ArrayList<>();

    Problems(String fileName) {
        this.fileName = fileName;
    }

    void add(String where, String message) {
        list.add(new Problem(where, message));
    }

    void add(Node node, String message) {
        add(where(node), message);
    }

    /** The position of a node as {@code file:line}. */
    String where(Node node) {
        return node.getStartMark().map(this::where).orElse(fileName);
    }

    String where(Mark mark) {
        return fileName + ":" + (mark.getLine() + 1);
    }

    String fileName() {
        return fileName;
    }

    List<Problem> list() {
        return List.copyOf(list);
    }

    void throwIfAny() {
        if (!list.isEmpty()) {
            throw new ConfigException(list);
        }
    }
}
