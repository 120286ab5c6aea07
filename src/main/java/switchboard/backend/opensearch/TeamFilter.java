package switchboard.backend.opensearch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.call.Binding;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/**
 * The query that all documents of a caller's team match, from its binding {@code filter}: one query of the engine's query
 * language, in JSON. Placeholders for claims may be whole values in {@code term}, {@code terms} and {@code range}, where a
 * value can't be anything else; never in a query that parses its text.
 */
final class TeamFilter {
    private static final String FILTER = "filter";

    /** The queries that take a value as it is. */
    private static final Set<String> LITERAL = Set.of("term", "terms", "range");

    private final Binding binding;

    private TeamFilter(Binding binding) {
        this.binding = binding;
    }

    /**
     * The query for {@code caller}; empty if its team is not bound.
     *
     * @throws ToolException {@code DENIED} if one of its bindings can't be enforced here, or needs a claim that it lacks
     */
    static Optional<ObjectNode> of(Caller caller) {
        for (String name : caller.bindings().keySet()) {
            if (!name.equals(FILTER)) {
                throw denied("binding \"" + name + "\", which this backend does not support (it supports filter)");
            }
        }
        return caller.binding(FILTER).map(binding -> new TeamFilter(binding).query());
    }

    private ObjectNode query() {
        try {
            if (Json.parse(binding.text()) instanceof ObjectNode query && query.size() == 1) {
                return (ObjectNode) bound(query, false);
            }
        } catch (JsonProcessingException _) {
            // Said below, without the parser's words: they quote the filter.
        }
        throw denied("a filter that is not one query as a JSON object");
    }

    /** @param literal whether values here are taken as they are */
    private JsonNode bound(JsonNode node, boolean literal) {
        return switch (node) {
            case TextNode text -> value(text, literal);
            case ArrayNode list -> {
                ArrayNode all = Json.array();
                list.forEach(entry -> all.add(bound(entry, literal)));
                yield all;
            }
            case ObjectNode object -> {
                ObjectNode all = Json.object();
                for (Map.Entry<String, JsonNode> entry : object.properties()) {
                    if (part(entry.getKey()).hasPlaceholders()) {
                        throw binding.denied("has a placeholder in the name of a field; only values may have one");
                    }
                    all.set(entry.getKey(), bound(entry.getValue(), literal || LITERAL.contains(entry.getKey())));
                }
                yield all;
            }
            default -> node;
        };
    }

    private JsonNode value(TextNode text, boolean literal) {
        Binding part = part(text.asText());
        if (!part.hasPlaceholders()) {
            return text;
        }
        if (!literal) {
            throw binding.denied("has a placeholder outside of term, terms and range");
        }
        return part.list() ? Json.mapper().valueToTree(part.values()) : TextNode.valueOf(part.value());
    }

    private Binding part(String text) {
        return new Binding(binding.name(), text, binding.caller());
    }

    private static ToolException denied(String what) {
        return new ToolException(
                FailureKind.DENIED,
                "This team is bound to " + what + "; the operator has to correct the team's bindings");
    }
}
