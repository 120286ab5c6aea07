package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import switchboard.call.DiagnosticFinding;
import switchboard.catalog.ToolDescriptor;
import switchboard.embed.DeclaredEmbedders;

/** Finds tools that look like searches by their schemas, for operators who may declare them as sources. */
final class SearchToolProposals {
    private static final List<String> QUESTIONS =
            List.of("query", "q", "question", "search", "search_query", "text", "keywords");
    private static final List<String> LIMITS =
            List.of("limit", "top_k", "max_results", "num_results", "count", "k", "n", "size", "page_size");
    private static final Set<String> TEXTS = Set.of(
            "text", "content", "snippet", "excerpt", "body", "passage", "description", "summary", "title", "name");

    private static final List<String> IDS = List.of("id", "doc_id", "document_id", "key", "uri", "url");

    /** Names that are safe in YAML: an operator may paste what is proposed. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]{1,100}");

    private SearchToolProposals() {}

    /** For each of the {@code tools} of a backend that looks like a search: the declaration that makes it a source. */
    static List<DiagnosticFinding> of(String backend, List<ToolDescriptor> tools) {
        return tools.stream()
                .flatMap(tool -> declaration(tool).stream()
                        .map(yaml -> DiagnosticFinding.good(
                                "tool " + tool.name(),
                                "looks like a search; to have search_everywhere ask it: search.sources: {\"" + backend
                                        + DeclaredEmbedders.SEPARATOR + tool.name() + "\": {tool: " + yaml + "}}")))
                .toList();
    }

    /** The declaration of {@code tool} as YAML in one line; empty if it does not look like a search. */
    private static Optional<String> declaration(ToolDescriptor tool) {
        JsonNode input = tool.inputSchema();
        ObjectNode output = tool.schemas().output();
        Optional<String> question = first(QUESTIONS, input.path("properties"), "string");
        ObjectNode entry = tool.original();
        boolean destructive = entry != null
                && entry.path("annotations").path("destructiveHint").asBoolean(false);
        if (output == null
                || question.isEmpty()
                || destructive
                || !PLAIN.matcher(tool.name()).matches()
                || !required(input).allMatch(question.get()::equals)) {
            return Optional.empty();
        }
        return output.path("properties").properties().stream()
                .filter(property -> PLAIN.matcher(property.getKey()).matches() && hits(property.getValue(), output))
                .map(Map.Entry::getKey)
                .findFirst()
                .map(results -> yaml(tool.name(), question.get(), results, input, output));
    }

    private static String yaml(String tool, String question, String results, JsonNode input, ObjectNode output) {
        StringBuilder yaml = new StringBuilder("{name: ").append(tool);
        if (!question.equals("query")) {
            yaml.append(", query: ").append(question);
        }
        first(LIMITS, input.path("properties"), "integer")
                .ifPresent(limit -> yaml.append(", limit: ").append(limit));
        yaml.append(", results: /").append(results);
        JsonNode hit = resolved(output.path("properties").path(results).path("items"), output);
        IDS.stream().filter(hit.path("properties")::has).findFirst().ifPresent(id -> yaml.append(", id: /")
                .append(id));
        return yaml.append("}").toString();
    }

    private static Optional<String> first(List<String> names, JsonNode properties, String type) {
        return names.stream()
                .filter(name -> properties.path(name).path("type").asText().equals(type))
                .findFirst();
    }

    private static Stream<String> required(JsonNode schema) {
        return StreamSupport.stream(schema.path("required").spliterator(), false)
                .map(JsonNode::asText);
    }

    /** Whether {@code schema} is that of a list of objects with a text. */
    private static boolean hits(JsonNode schema, ObjectNode root) {
        return schema.path("type").asText().equals("array")
                && resolved(schema.path("items"), root).path("properties").properties().stream()
                        .anyMatch(field -> TEXTS.contains(field.getKey()));
    }

    /** {@code schema}, or what it refers to in {@code root}. */
    private static JsonNode resolved(JsonNode schema, ObjectNode root) {
        String reference = schema.path("$ref").asText();
        return reference.startsWith("#/") ? root.at(reference.substring(1)) : schema;
    }
}
