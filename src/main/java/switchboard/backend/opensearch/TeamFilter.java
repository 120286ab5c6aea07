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
 * language, in JSON. Placeholders for claims may be in values of {@code term}, {@code terms} and {@code range}, which are taken
 * as they are; never in a query that parses its text, such as {@code query_string} or {@code wildcard}.
 */
final class TeamFilter {
    private static final String FILTER = "filter";
    private static final Set<String> CLAUSES = Set.of("must", FILTER, "should", "must_not");

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

    /**
     * Checks that the filter for {@code caller} can be made, before anything is asked.
     *
     * @throws ToolException {@code DENIED} as for {@link #of}
     */
    static void check(Caller caller) {
        of(caller);
    }

    private ObjectNode query() {
        try {
            return query(Json.parse(binding.text()));
        } catch (JsonProcessingException _) {
            throw noQuery(); // without the parser's words: they quote the filter
        }
    }

    private ObjectNode query(JsonNode node) {
        if (!(node instanceof ObjectNode given && given.size() == 1)) {
            throw noQuery();
        }
        Map.Entry<String, JsonNode> named = given.properties().iterator().next();
        JsonNode body = named.getValue();
        JsonNode bound =
                switch (named.getKey()) {
                    case "term", "terms", "range" -> values(body);
                    case "bool" -> clauses(body);
                    case "constant_score" -> with(body, FILTER);
                    case "nested", "has_child", "has_parent" -> with(body, "query");
                    default -> fixed(body);
                };
        return Json.object().set(named.getKey(), bound);
    }

    private JsonNode clauses(JsonNode body) {
        ObjectNode all = Json.object();
        boolean restricts = false;
        for (Map.Entry<String, JsonNode> part : body.properties()) {
            if (!CLAUSES.contains(part.getKey())) {
                all.set(part.getKey(), fixed(part.getValue()));
            } else if (part.getValue() instanceof ArrayNode list) {
                ArrayNode queries = all.putArray(part.getKey());
                list.forEach(query -> queries.add(query(query)));
                restricts |= !list.isEmpty();
            } else {
                all.set(part.getKey(), query(part.getValue()));
                restricts = true;
            }
        }
        if (!restricts) {
            throw denied("an empty filter, which would let it see everything");
        }
        return all;
    }

    /** A query whose part {@code inner} is a query. */
    private JsonNode with(JsonNode body, String inner) {
        ObjectNode all = Json.object();
        for (Map.Entry<String, JsonNode> part : body.properties()) {
            all.set(part.getKey(), part.getKey().equals(inner) ? query(part.getValue()) : fixed(part.getValue()));
        }
        if (!all.has(inner)) {
            throw noQuery();
        }
        return all;
    }

    /** Texts that are values. A list is one also among others. */
    private JsonNode values(JsonNode node) {
        return switch (node) {
            case TextNode text -> {
                Binding part = binding.part(text.asText());
                yield part.list() ? Json.mapper().valueToTree(part.values()) : TextNode.valueOf(part.value());
            }
            case ArrayNode list -> {
                ArrayNode all = Json.array();
                for (JsonNode entry : list) {
                    JsonNode bound = values(entry);
                    if (entry.isTextual() && bound instanceof ArrayNode several) {
                        all.addAll(several);
                    } else {
                        all.add(bound);
                    }
                }
                yield all;
            }
            case ObjectNode object -> {
                ObjectNode all = Json.object();
                object.properties().forEach(entry -> {
                    fixed(TextNode.valueOf(entry.getKey()));
                    all.set(entry.getKey(), values(entry.getValue()));
                });
                yield all;
            }
            default -> node;
        };
    }

    /** What may have no placeholder. */
    private JsonNode fixed(JsonNode node) {
        if (binding.part(Json.text(node)).hasPlaceholders()) {
            throw binding.denied("has a placeholder outside of the values of term, terms and range");
        }
        return node;
    }

    private static ToolException noQuery() {
        return denied("a filter that is not one query as a JSON object");
    }

    private static ToolException denied(String what) {
        return new ToolException(
                FailureKind.DENIED,
                "This team is bound to " + what + "; the operator has to correct the team's bindings");
    }
}
