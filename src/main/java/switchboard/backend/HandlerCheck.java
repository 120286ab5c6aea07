package switchboard.backend;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import switchboard.catalog.AnswerArguments;
import switchboard.catalog.ToolDescriptor;

/**
 * Checks a backend's handlers against its tool descriptors at start: each tool has exactly one handler, and the
 * components of its arguments record are the schema's properties, nullable exactly if they are optional.
 */
public final class HandlerCheck {
    private HandlerCheck() {}

    /** The mismatches between {@code tools} and {@code handlers}; empty if there are none. */
    public static List<String> problems(String type, List<ToolDescriptor> tools, List<ToolHandler<?>> handlers) {
        List<String> problems = new ArrayList<>();
        Map<String, Class<? extends Record>> byName = new HashMap<>();
        for (ToolHandler<?> handler : handlers) {
            if (byName.put(handler.name(), handler.argsType()) != null) {
                problems.add(type + ": two handlers for tool " + handler.name());
            }
        }
        problems.addAll(problems(type, tools, byName));
        return problems;
    }

    /** The same for handlers given by their names and arguments records. */
    public static List<String> problems(
            String type, List<ToolDescriptor> tools, Map<String, Class<? extends Record>> handlers) {
        List<String> problems = new ArrayList<>();
        Map<String, Class<? extends Record>> left = new TreeMap<>(handlers);
        for (ToolDescriptor tool : tools) {
            Class<? extends Record> arguments = left.remove(tool.name());
            if (arguments == null) {
                problems.add(type + ": tool " + tool.name() + " has no handler");
            } else {
                arguments(type, tool, arguments, problems);
            }
        }
        for (String name : left.keySet()) {
            problems.add(type + ": handler " + name + " has no tool in tools.json");
        }
        return problems;
    }

    private static void arguments(
            String type, ToolDescriptor tool, Class<? extends Record> record, List<String> problems) {
        JsonNode properties = tool.inputSchema().path("properties");
        Set<String> missing = new TreeSet<>();
        properties.fieldNames().forEachRemaining(missing::add);
        if (tool.results() != null) {
            missing.removeAll(AnswerArguments.NAMES); // The gateway sees to these.
        }
        for (RecordComponent component : record.getRecordComponents()) {
            String where = type + ": tool " + tool.name() + ": " + record.getSimpleName() + "." + component.getName();
            if (!missing.remove(component.getName())) {
                problems.add(where + " is not a property of inputSchema");
            } else if (mayBeAbsent(tool, component.getName()) != nullable(component)) {
                problems.add(where + (nullable(component) ? " is nullable but always there" : " must be @Nullable"));
            }
        }
        for (String name : missing) {
            problems.add(type + ": tool " + tool.name() + ": " + record.getSimpleName() + " lacks property " + name);
        }
    }

    private static boolean mayBeAbsent(ToolDescriptor tool, String property) {
        JsonNode schema = tool.inputSchema().path("properties").path(property);
        for (JsonNode type : schema.path("type")) {
            if (type.asText().equals("null")) {
                return true;
            }
        }
        if (schema.hasNonNull("default")) {
            return false;
        }
        for (JsonNode required : tool.inputSchema().path("required")) {
            if (required.asText().equals(property)) {
                return false;
            }
        }
        return true;
    }

    private static boolean nullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
}
