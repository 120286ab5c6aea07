package switchboard.backend.meilisearch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Binding;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;

/**
 * The restrictions of a caller's team.
 *
 * @param scope the indexes of its grants
 * @param filter an expression that all visible documents match, or null
 * @param rules Meilisearch search rules (by index pattern) for a tenant token, or null
 */
record TeamFilters(
        ResourceScope scope,
        @Nullable String filter,
        @Nullable ObjectNode rules) {
    private static final Set<String> KNOWN = Set.of("filter", "searchRules");

    /**
     * The restrictions of {@code caller}.
     *
     * @throws ToolException {@code DENIED} if one of its bindings can't be enforced here
     */
    static TeamFilters of(Caller caller) {
        for (String name : caller.bindings().keySet()) {
            if (!KNOWN.contains(name)) {
                throw denied("binding \"" + name
                        + "\", which Meilisearch does not support (it supports filter and searchRules)");
            }
        }
        String filter = caller.binding("filter")
                .map(binding -> binding.expression(new FilterLiteral(binding)))
                .orElse(null);
        if (filter != null && filter.isBlank()) {
            throw denied("an empty filter, which would let it see everything");
        }
        ObjectNode rules = caller.binding("searchRules").map(TeamFilters::rules).orElse(null);
        return new TeamFilters(caller.scope(), filter, rules);
    }

    private static ObjectNode rules(Binding binding) {
        try {
            JsonNode rules = BoundRules.of(binding, Json.parse(binding.text()));
            if (rules instanceof ObjectNode object) {
                return object;
            }
            if (rules.isArray()) {
                ObjectNode object = Json.object();
                rules.forEach(pattern -> object.putObject(pattern.asText()));
                return object;
            }
        } catch (JsonProcessingException _) {
            // Said below, without the parser's words: they quote the rules.
        }
        throw denied("searchRules that are not a JSON object or array");
    }

    private static ToolException denied(String what) {
        return new ToolException(
                FailureKind.DENIED,
                "This team is bound to " + what + "; the operator has to correct the team's bindings");
    }

    /** Whether documents are hidden from the caller, so that plain counts would reveal too much. */
    boolean hideDocuments() {
        return filter != null || rules != null;
    }

    /** Whether every index may be seen. */
    boolean everyIndex() {
        return scope.unrestricted() && rules == null;
    }

    /** Whether {@code uid} may be seen. */
    boolean allows(String uid) {
        return scope.allows(uid) && (rules == null || ruled(rules, uid));
    }

    /** Matches like Meilisearch: an exact name, or a pattern that ends in {@code *}. */
    private static boolean ruled(ObjectNode rules, String uid) {
        for (Map.Entry<String, JsonNode> rule : rules.properties()) {
            String pattern = rule.getKey();
            boolean prefix = pattern.endsWith("*");
            if (prefix ? uid.startsWith(pattern.substring(0, pattern.length() - 1)) : uid.equals(pattern)) {
                return true;
            }
        }
        return false;
    }
}
