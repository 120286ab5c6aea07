package switchboard.backend.mcp;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
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
        return Collections.unmodifiableMap(own);
    }

    /** The results in an answer of its tool; empty if they are not where they are declared to be. */
    Optional<List<ObjectNode>> results(ToolAnswer answer) {
        return tool.results() == null ? Optional.of(answer.blocks()) : answer.list(JsonPointer.compile(tool.results()));
    }

    /**
     * What the search log should know of an answer of {@code called}, a tool of the server. Several sources that one tool searches are one
     * search.
     *
     * @param sources all sources of the server
     */
    static GivenDocuments given(
            Map<String, RelayedSource> sources, String called, ObjectNode arguments, ToolAnswer answer) {
        if (answer.failed()) {
            return GivenDocuments.NONE;
        }
        List<String> searched = new ArrayList<>();
        List<GivenHit> hits = new ArrayList<>();
        List<GivenDocument> read = new ArrayList<>();
        String query = "";
        for (Map.Entry<String, RelayedSource> one : sources.entrySet()) {
            RelayedSource source = one.getValue();
            if (source.tool().name().equals(called)
                    && has(arguments, source.tool().arguments())) {
                query = arguments.path(source.tool().query()).asText();
                searched.add(one.getKey());
                source.results(answer)
                        .ifPresent(results -> results.forEach(result -> hits.add(source.hit(one.getKey(), result))));
            }
            source.document(called, arguments).ifPresent(id -> read.add(new GivenDocument(one.getKey(), id)));
        }
        return searched.isEmpty()
                ? GivenDocuments.read(read)
                : GivenDocuments.found(new GivenSearch(query, searched, hits));
    }

    private GivenHit hit(String name, ObjectNode result) {
        return new GivenHit(new GivenDocument(name, reader.knownId(result).orElse(null)), reader.scoreOf(result), null);
    }

    private Optional<String> document(String called, ObjectNode arguments) {
        return Optional.ofNullable(document)
                .filter(reading -> Objects.equals(reading.tool(), called) && has(arguments, reading.arguments()))
                .map(reading -> arguments.path(reading.argument()))
                .filter(JsonNode::isValueNode)
                .map(JsonNode::asText);
    }

    /** Whether a call has the arguments that tell this source from another one of the same tool. */
    private static boolean has(ObjectNode arguments, Map<String, JsonNode> fixed) {
        return fixed.entrySet().stream()
                .allMatch(argument -> arguments.path(argument.getKey()).equals(argument.getValue()));
    }
}
