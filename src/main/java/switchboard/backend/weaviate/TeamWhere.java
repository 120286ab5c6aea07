package switchboard.backend.weaviate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import switchboard.call.Binding;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;

/**
 * The filter that decides which objects a caller sees, from its team's binding {@code where}: a filter as the tools take it, in
 * JSON. Placeholders for claims may only be values, of properties whose values Weaviate compares as a whole. A list with
 * the operator Equal means any of them.
 */
final class TeamWhere {
    /** The name of the binding. */
    static final String WHERE_BINDING = "where";

    private static final String OPERATOR = "operator";
    private static final String OPERANDS = "operands";
    private static final String VALUE = "value";
    private static final String EQUAL = WhereFilter.Operator.EQUAL.word();
    private static final Pattern SPACE_AT_AN_END = Pattern.compile("^\\p{IsWhite_Space}|\\p{IsWhite_Space}\\z");
    /** The operator's filter may name any collection. */
    private static final TenantScope ANY = new TenantScope(ResourceScope.ALL, null);

    private final ObjectNode filter;

    /** The properties that are compared with claims. */
    private final Set<String> ofClaims;

    private TeamWhere(ObjectNode filter, Set<String> ofClaims) {
        this.filter = filter;
        this.ofClaims = ofClaims;
    }

    /**
     * The filter for {@code caller}; empty if its team is not bound.
     *
     * @throws ToolException {@code DENIED} if there is none, or a claim for it is missing
     */
    static Optional<TeamWhere> of(Caller caller) {
        return caller.binding(WHERE_BINDING).map(binding -> {
            Set<String> ofClaims = new HashSet<>();
            TeamWhere where = new TeamWhere(clause(binding, parsed(binding), ofClaims), ofClaims);
            try {
                where.read(Optional.empty());
            } catch (ToolException _) { // without its words: they quote the filter
                throw noFilter(binding);
            }
            return where;
        });
    }

    private static JsonNode parsed(Binding binding) {
        try {
            return Json.parse(binding.text());
        } catch (JsonProcessingException _) {
            throw noFilter(binding);
        }
    }

    private static ObjectNode clause(Binding binding, JsonNode given, Set<String> ofClaims) {
        if (!(given instanceof ObjectNode)) {
            throw noFilter(binding);
        }
        ObjectNode clause = Json.object();
        for (Map.Entry<String, JsonNode> member : given.properties()) {
            String name = member.getKey();
            if (name.equals(OPERANDS) && member.getValue() instanceof ArrayNode operands) {
                ArrayNode read = clause.putArray(OPERANDS);
                operands.forEach(operand -> read.add(clause(binding, operand, ofClaims)));
            } else if (name.startsWith(VALUE)) {
                clause.set(name, value(binding, given.path(OPERATOR).asText(), name, member.getValue()));
                if (binding.part(Json.text(member.getValue())).hasPlaceholders()) {
                    ofClaims.add(property(given.path("path")));
                }
            } else {
                fixed(binding, TextNode.valueOf(name));
                clause.set(name, fixed(binding, member.getValue()));
            }
        }
        return anyOf(clause);
    }

    /** The property that a path names; empty for one that leads to other objects. */
    private static String property(JsonNode path) {
        return path.size() == 1 ? path.path(0).asText() : "";
    }

    /** A list with Equal means any of its values. */
    private static ObjectNode anyOf(ObjectNode clause) {
        boolean several = clause.properties().stream()
                .anyMatch(member ->
                        member.getKey().startsWith(VALUE) && member.getValue().isArray());
        if (several && clause.path(OPERATOR).asText().equals(EQUAL)) {
            clause.put(OPERATOR, WhereFilter.Operator.CONTAINS_ANY.word());
        }
        return clause;
    }

    /** Texts that are values. A list is one also among others. */
    private static JsonNode value(Binding binding, String operator, String key, JsonNode given) {
        if (operator.equals(WhereFilter.Operator.LIKE.word())) {
            return fixed(binding, given); // a claim must not bring wildcards
        }
        return switch (given) {
            case TextNode text -> {
                Binding part = binding.part(text.asText());
                if (!part.hasPlaceholders()) {
                    yield text;
                }
                if (!part.list()) {
                    yield typed(binding, key, part.value());
                }
                ArrayNode all = Json.array();
                part.values().forEach(one -> all.add(typed(binding, key, one)));
                yield all;
            }
            case ArrayNode list -> {
                ArrayNode all = Json.array();
                for (JsonNode entry : list) {
                    JsonNode bound = value(binding, operator, key, entry);
                    if (entry.isTextual() && bound instanceof ArrayNode several) {
                        all.addAll(several);
                    } else {
                        all.add(bound);
                    }
                }
                yield all;
            }
            default -> fixed(binding, given);
        };
    }

    /** A claim as a value under {@code key}. */
    private static JsonNode typed(Binding binding, String key, String text) {
        if (!key.startsWith("valueInt") && !key.startsWith("valueNumber")) {
            if (SPACE_AT_AN_END.matcher(text).find()) {
                throw binding.denied(
                        "can't be made with your claims, because one has spaces at an end, which Weaviate ignores");
            }
            return TextNode.valueOf(text);
        }
        if (!text.matches("-?[0-9]{1,18}(\\.[0-9]{1,18})?")) {
            throw binding.denied("needs a number, and your claim is not one");
        }
        return DecimalNode.valueOf(new BigDecimal(text));
    }

    /**
     * {@code given} as it is.
     *
     * @throws ToolException {@code DENIED} if it has a placeholder
     */
    private static JsonNode fixed(Binding binding, JsonNode given) {
        if (binding.part(Json.text(given)).hasPlaceholders()) {
            throw binding.denied("has a placeholder that is not a value, or is one of Like");
        }
        return given;
    }

    private static ToolException noFilter(Binding binding) {
        return binding.denied("is not a filter that Weaviate could be given for you");
    }

    /**
     * The filter for objects of {@code schema}.
     *
     * @throws ToolException {@code DENIED} if its objects can't be told apart by it
     */
    WhereFilter in(CollectionSchema schema) {
        WhereFilter read;
        try {
            read = read(Optional.of(schema));
        } catch (ToolException _) {
            throw unsuitable(schema.name());
        }
        if (!ofClaims.stream().allMatch(name -> comparedWhole(name, schema))) {
            throw unsuitable(schema.name());
        }
        return read;
    }

    /** Whether objects of {@code schema} can be told apart by it. */
    boolean fits(CollectionSchema schema) {
        try {
            in(schema);
            return true;
        } catch (ToolException _) {
            return false;
        }
    }

    /** Whether a claim matches only what is equal to it. Weaviate cuts most texts into words, and ignores case in these. */
    private static boolean comparedWhole(String name, CollectionSchema schema) {
        return schema.property(name)
                .map(CollectionSchema.Property::comparedWhole)
                .orElse(name.equals("id") || name.startsWith("_"));
    }

    private WhereFilter read(Optional<CollectionSchema> schema) {
        return WhereReader.read(WHERE_BINDING, filter, schema, ANY);
    }

    /** The failure of a call whose filter can't be checked, because the schema of {@code collection} can't be read. */
    static ToolException unchecked(String collection) {
        return new ToolException(
                FailureKind.DENIED,
                "This team is bound to a filter (binding \"where\"), and the gateway's key can't read the schema of"
                        + " collection " + WeaviateIdentifiers.quoted(collection) + ", so that the filter can't be"
                        + " checked. The operator has to give the key the right read_collections.");
    }

    private static ToolException unsuitable(String collection) {
        return new ToolException(
                FailureKind.DENIED,
                "Collection " + WeaviateIdentifiers.quoted(collection)
                        + " lacks what this team's filter compares (binding \"where\"), or cuts it into words, so that its"
                        + " objects can't be told apart, and none are shown. Use another collection, or ask the operator:"
                        + " a text that is compared with a claim needs \"tokenization\": \"field\".");
    }
}
