package switchboard.backend.mcp;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import switchboard.backend.HitReader;
import switchboard.call.GivenDocuments;
import switchboard.call.GivenDocuments.GivenDocument;
import switchboard.call.GivenDocuments.GivenHit;
import switchboard.call.GivenDocuments.GivenSearch;
import switchboard.call.NamedFields;
import switchboard.config.SearchConfig;
import switchboard.embed.DeclaredEmbedders;

/** How a source of a server is searched and read, as the operator has declared it. */
record RelayedSource(SearchConfig.SearchTool tool, HitReader reader, SearchConfig.@Nullable DocumentReader document) {
    /** Those of the server {@code id} among all that are {@code declared}, by name. */
    static Map<String, RelayedSource> of(String id, Map<String, SearchConfig.SourceConfig> declared) {
        Map<String, RelayedSource> own = new TreeMap<>();
        String prefix = id + DeclaredEmbedders.SEPARATOR;
        declared.forEach((place, source) -> {
            SearchConfig.SearchTool tool = source.tool();
            if (place.startsWith(prefix) && tool != null) {
                NamedFields named = new NamedFields(source.text(), source.title(), source.url());
                own.put(
                        place.substring(prefix.length()),
                        new RelayedSource(tool, HitReader.of(tool.id(), tool.score(), named), source.document()));
            }
        });
        return own;
    }

    /** The results in an answer of its tool; empty if they are not where they are declared to be. */
    Optional<List<ObjectNode>> results(ToolAnswer answer) {
        return tool.results() == null ? Optional.of(answer.blocks()) : answer.list(JsonPointer.compile(tool.results()));
    }

    /**
     * What the search log should know of an answer of {@code called}, a tool of the server.
     *
     * @param sources all sources of the server
     */
    static GivenDocuments given(
            Map<String, RelayedSource> sources, String called, ObjectNode arguments, ToolAnswer answer) {
        if (answer.failed()) {
            return GivenDocuments.NONE;
        }
        List<GivenSearch> searches = sources.entrySet().stream()
                .flatMap(source -> source.getValue().search(source.getKey(), called, arguments, answer).stream())
                .toList();
        List<GivenDocument> read = sources.entrySet().stream()
                .flatMap(source -> source.getValue().document(source.getKey(), called, arguments).stream())
                .toList();
        return new GivenDocuments(searches, read);
    }

    private Optional<GivenSearch> search(String name, String called, ObjectNode arguments, ToolAnswer answer) {
        JsonNode query = arguments.path(tool.query());
        return tool.name().equals(called)
                        && query.isTextual()
                        && !query.asText().isBlank()
                        && has(arguments, tool.arguments())
                ? results(answer)
                        .map(results -> new GivenSearch(
                                query.asText(),
                                List.of(name),
                                reader.passages(results, results.size()).stream()
                                        .map(passage -> new GivenHit(
                                                new GivenDocument(name, passage.document()), passage.score(), null))
                                        .toList()))
                : Optional.empty();
    }

    private Optional<GivenDocument> document(String name, String called, ObjectNode arguments) {
        return Optional.ofNullable(document)
                .filter(reading -> Objects.equals(reading.tool(), called) && has(arguments, reading.arguments()))
                .map(reading -> arguments.path(reading.argument()))
                .filter(JsonNode::isValueNode)
                .map(id -> new GivenDocument(name, id.asText()));
    }

    /** Whether a call has the arguments that tell this source from another one of the same tool. */
    private static boolean has(ObjectNode arguments, Map<String, JsonNode> fixed) {
        return fixed.entrySet().stream()
                .allMatch(argument -> arguments.path(argument.getKey()).equals(argument.getValue()));
    }
}
