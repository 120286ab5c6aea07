package switchboard.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import switchboard.call.Json;
import switchboard.call.Verb;
import switchboard.catalog.ToolDescriptor;

/** Writes the reference page of a backend type's tools from their descriptors. */
public final class ToolsMarkdown {
    private static final List<String> LIMITS =
            List.of("minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems", "maxProperties");

    private ToolsMarkdown() {}

    /** The page of {@code type}. */
    public static String page(String type, List<ToolDescriptor> tools) {
        StringBuilder page = new StringBuilder();
        page.append("# Tools of `").append(type).append("`\n\n");
        page.append("Generated from `backends/").append(type).append("/tools.json`; do not edit. Regenerate with\n");
        page.append("`./switchboard tools --markdown docs/tools`.\n\n");
        for (ToolDescriptor tool : tools) {
            page.append("* [`")
                    .append(tool.name())
                    .append("`](#")
                    .append(tool.name().toLowerCase(java.util.Locale.ROOT))
                    .append("): ")
                    .append(tool.title())
                    .append('\n');
        }
        tools.forEach(tool -> section(page, tool));
        return page.toString();
    }

    private static void section(StringBuilder page, ToolDescriptor tool) {
        page.append("\n## ")
                .append(tool.name())
                .append("\n\n")
                .append(tool.description())
                .append("\n\n");
        page.append("Verbs: ")
                .append(verbs(tool))
                .append(". Time limit: ")
                .append(tool.limits().timeout().toSeconds());
        page.append(" s. Largest result: ")
                .append(tool.limits().maxResultBytes() / 1024)
                .append(" KiB.");
        tool.scopePointer().ifPresent(scope -> page.append(" Grants may be limited by `")
                .append(scope.toString().substring(1))
                .append("`."));
        if (tool.effects().perBackend()) {
            page.append(" Who has them on another backend may use it for that one.");
        }
        if (tool.availability().gate() != null) {
            page.append(" Exists only where the backend's `")
                    .append(tool.availability().gate())
                    .append("` is on.");
        }
        page.append(tool.effects().idempotent() ? " Repeating a call changes nothing more.\n" : "\n");
        fields(page, "Argument", tool.inputSchema());
        if (tool.outputSchema() != null) {
            fields(page, "Result", tool.outputSchema());
        }
    }

    private static String verbs(ToolDescriptor tool) {
        return tool.verbs().stream().map(Verb::word).sorted().collect(Collectors.joining(", "));
    }

    private static void fields(StringBuilder page, String heading, JsonNode schema) {
        JsonNode properties = schema.path("properties");
        if (properties.isEmpty()) {
            page.append("\n").append(heading.equals("Argument") ? "No arguments.\n" : "");
            return;
        }
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        page.append("\n| ").append(heading).append(" | Type | | Meaning |\n|---|---|---|---|\n");
        properties.properties().forEach(entry -> page.append("| `")
                .append(entry.getKey())
                .append("` | ")
                .append(type(entry.getValue()))
                .append(" | ")
                .append(presence(entry.getValue(), required.contains(entry.getKey())))
                .append(" | ")
                .append(cell(entry.getValue()))
                .append(" |\n"));
    }

    private static String type(JsonNode schema) {
        List<String> types = new ArrayList<>();
        JsonNode type = schema.path("type");
        if (type.isArray()) {
            type.forEach(one -> types.add(one.asText()));
        } else if (type.isTextual()) {
            types.add(type.asText());
        }
        types.remove("null");
        String text = types.isEmpty() ? "any" : String.join(" or ", types);
        return text.equals("array") ? "array of " + type(schema.path("items")) : text;
    }

    private static String presence(JsonNode schema, boolean required) {
        if (schema.hasNonNull("default")) {
            return "default `" + escaped(Json.text(schema.path("default"))) + "`";
        }
        return required ? "required" : "";
    }

    private static String cell(JsonNode schema) {
        List<String> parts = new ArrayList<>();
        if (schema.hasNonNull("description")) {
            parts.add(escaped(schema.path("description").asText()));
        }
        if (schema.path("enum").isArray()) {
            List<String> values = new ArrayList<>();
            schema.path("enum").forEach(value -> values.add("`" + escaped(value.asText()) + "`"));
            parts.add("One of " + String.join(", ", values) + ".");
        }
        String limits = LIMITS.stream()
                .filter(schema::has)
                .map(limit -> limit + " " + escaped(schema.path(limit).asText()))
                .collect(Collectors.joining(", "));
        if (!limits.isEmpty()) {
            parts.add("(" + limits + ")");
        }
        return String.join(" ", parts);
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace('\n', ' ');
    }
}
