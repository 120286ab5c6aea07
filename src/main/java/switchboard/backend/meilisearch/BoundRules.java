package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import switchboard.call.Binding;
import switchboard.call.Json;

/** Search rules with placeholders in their filters. */
final class BoundRules {
    private final Binding binding;

    private BoundRules(Binding binding) {
        this.binding = binding;
    }

    /**
     * The rules for the binding's caller.
     *
     * @throws switchboard.call.ToolException {@code DENIED} if the caller lacks a claim, or an index pattern has a
     *     placeholder, because a claim could be a pattern itself
     */
    static JsonNode of(Binding binding, JsonNode rules) {
        return binding.hasPlaceholders() ? new BoundRules(binding).bound(rules) : rules;
    }

    private JsonNode bound(JsonNode rules) {
        if (rules instanceof ArrayNode patterns) {
            patterns.forEach(pattern -> fixed(pattern.asText()));
            return patterns;
        }
        ObjectNode bound = Json.object();
        for (Map.Entry<String, JsonNode> rule : rules.properties()) {
            fixed(rule.getKey());
            bound.set(rule.getKey(), filters(rule.getValue()));
        }
        return bound;
    }

    /** A filter is a text, or lists of texts. */
    private JsonNode filters(JsonNode rule) {
        return switch (rule) {
            case TextNode text -> TextNode.valueOf(expression(text.asText()));
            case ArrayNode list -> {
                ArrayNode all = Json.array();
                list.forEach(entry -> all.add(filters(entry)));
                yield all;
            }
            case ObjectNode object -> {
                ObjectNode all = Json.object();
                object.properties().forEach(entry -> all.set(entry.getKey(), filters(entry.getValue())));
                yield all;
            }
            default -> rule;
        };
    }

    private String expression(String filter) {
        return binding.part(filter).expression(new FilterLiteral(binding));
    }

    private void fixed(String pattern) {
        if (binding.part(pattern).hasPlaceholders()) {
            throw binding.denied("has a placeholder in the pattern of an index; only filters may have one");
        }
    }
}
