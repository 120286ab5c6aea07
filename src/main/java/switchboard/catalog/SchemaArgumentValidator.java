package switchboard.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import switchboard.call.Arguments;
import switchboard.call.Json;
import switchboard.text.ClosestName;
import switchboard.text.SurrogatePairs;

/**
 * Validation with a tool's {@code inputSchema}, compiled once. Missing arguments get the schema's defaults, and {@code
 * null} for an optional argument counts as missing. The schema library sees what the compiled schema does not accept, and
 * words the problems.
 */
public final class SchemaArgumentValidator implements ArgumentValidator {
    private static final int MAX_PROBLEMS = 10;
    private static final int MAX_SHOWN = 60;

    private final Schema schema;
    private final Optional<CompiledSchema> compiled;
    private final Set<String> known;
    private final Set<String> droppableNulls;
    private final List<String> integers; // in alphabetical order
    private final Map<String, JsonNode> defaults;
    private final Map<String, JsonNode> budgetDefaults; // those that differ where the call has a budget

    /** A validator for {@code inputSchema}, which must be a valid schema. */
    public SchemaArgumentValidator(ObjectNode inputSchema) {
        this.schema = library(inputSchema);
        this.compiled = CompiledSchema.of(inputSchema);
        JsonNode properties = inputSchema.path("properties");
        Set<String> required = new TreeSet<>();
        inputSchema.path("required").forEach(name -> required.add(name.asText()));
        Set<String> names = new TreeSet<>();
        Set<String> droppable = new TreeSet<>();
        Set<String> whole = new TreeSet<>();
        Map<String, JsonNode> filled = new LinkedHashMap<>();
        Map<String, JsonNode> filledWithBudget = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            names.add(property.getKey());
            if (property.getValue().path("type").toString().contains("\"integer\"")) {
                whole.add(property.getKey());
            }
            if (!required.contains(property.getKey()) && !allowsNull(property.getValue())) {
                droppable.add(property.getKey());
            }
            if (property.getValue().has("default")) {
                filled.put(property.getKey(), property.getValue().get("default"));
            }
            if (property.getValue().has(SchemaRules.BUDGET_DEFAULT)) {
                filledWithBudget.put(property.getKey(), property.getValue().get(SchemaRules.BUDGET_DEFAULT));
            }
        }
        this.known = Set.copyOf(names);
        this.droppableNulls = Set.copyOf(droppable);
        this.integers = List.copyOf(whole);
        this.defaults = Map.copyOf(filled);
        this.budgetDefaults = Map.copyOf(filledWithBudget);
    }

    /** {@code schema} as the schema library reads it. */
    static Schema library(JsonNode schema) {
        SchemaRegistryConfig config = SchemaRegistryConfig.builder()
                .locale(java.util.Locale.ROOT)
                .losslessNarrowing(true)
                .build();
        return SchemaRegistry.withDefaultDialect(SchemaRules.DIALECT, builder -> builder.schemaRegistryConfig(config))
                .getSchema(schema);
    }

    @Override
    public Validation check(ObjectNode arguments) {
        ObjectNode candidate = complete(arguments);
        List<String> beyond = tooLarge(candidate);
        if (!beyond.isEmpty()) {
            return new Validation.Invalid(beyond);
        }
        if (compiled.isPresent() && compiled.get().accepts(candidate)) {
            return new Validation.Valid(Arguments.of(candidate));
        }
        List<Error> errors = FirstErrors.of(schema, candidate);
        if (errors.isEmpty()) {
            return new Validation.Valid(Arguments.of(candidate));
        }
        return new Validation.Invalid(errors.stream()
                .map(this::sentence)
                .distinct()
                .limit(MAX_PROBLEMS)
                .toList());
    }

    /** Names whole numbers beyond 64 bits. The library compares those inexactly and accepts some of them. */
    private List<String> tooLarge(ObjectNode candidate) {
        List<String> problems = new ArrayList<>(0);
        for (String name : integers) {
            JsonNode value = candidate.path(name);
            if (value.isNumber() && !value.canConvertToLong()) {
                problems.add(named(name) + " is too large or too small a number, got " + shown(value) + ".");
            }
        }
        return problems;
    }

    private ObjectNode complete(ObjectNode arguments) {
        ObjectNode candidate = Json.object();
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            if (!argument.getValue().isNull() || !droppableNulls.contains(argument.getKey())) {
                candidate.set(argument.getKey(), argument.getValue());
            }
        }
        JsonNode budget = candidate.has(AnswerArguments.BUDGET)
                ? candidate.get(AnswerArguments.BUDGET)
                : defaults.getOrDefault(AnswerArguments.BUDGET, NullNode.instance);
        if (!budget.isNull()) {
            fill(candidate, budgetDefaults);
        }
        fill(candidate, defaults);
        return candidate;
    }

    private static void fill(ObjectNode candidate, Map<String, JsonNode> values) {
        values.forEach((name, value) -> {
            if (!candidate.has(name)) {
                candidate.set(name, value.deepCopy());
            }
        });
    }

    private static boolean allowsNull(JsonNode property) {
        for (JsonNode value : property.path("enum")) {
            if (value.isNull()) {
                return true;
            }
        }
        JsonNode type = property.path("type");
        if (type.isMissingNode()) {
            return !property.has("enum");
        }
        for (JsonNode one : type) {
            if (one.asText().equals("null")) {
                return true;
            }
        }
        return type.asText().equals("null");
    }

    private String sentence(Error error) {
        String where = path(error);
        JsonNode got = error.getInstanceNode();
        JsonNode rule = error.getSchemaNode();
        return switch (error.getKeyword()) {
            case "required" -> argument(where, error.getProperty()) + " is required.";
            case "additionalProperties" -> unknown(where, error.getProperty());
            case "type" -> named(where) + " must be " + types(rule) + ", got " + shown(got) + ".";
            case "enum" -> named(where) + " must be one of " + Json.text(rule) + ", got " + shown(got) + ".";
            case "minimum" -> named(where) + " must be at least " + rule.asText() + ", got " + shown(got) + ".";
            case "maximum" -> named(where) + " must be at most " + rule.asText() + ", got " + shown(got) + ".";
            case "minLength" ->
                named(where) + " must have at least " + rule.asText() + " characters, got " + shown(got) + ".";
            case "maxLength" ->
                named(where) + " must have at most " + rule.asText() + " characters, got "
                        + (got == null ? 0 : got.asText().codePoints().count()) + ".";
            case "minItems" -> named(where) + " must have at least " + rule.asText() + " items, got " + size(got) + ".";
            case "maxItems" -> named(where) + " must have at most " + rule.asText() + " items, got " + size(got) + ".";
            case "maxProperties" ->
                named(where) + " must have at most " + rule.asText() + " keys, got " + size(got) + ".";
            case "pattern" -> named(where) + " must match " + rule.asText() + ", got " + shown(got) + ".";
            case null, default -> named(where) + ": " + error.getMessage() + ".";
        };
    }

    private String unknown(String where, String property) {
        String name = property == null ? "" : property;
        String start = argument(where, name) + " is not known.";
        if (!where.isEmpty()) {
            return start;
        }
        return ClosestName.of(name, known)
                .map(near -> start + " Did you mean \"" + near + "\"?")
                .orElse(start
                        + (known.isEmpty()
                                ? " This tool takes no arguments."
                                : " Known arguments: " + String.join(", ", new TreeSet<>(known)) + "."));
    }

    private static String argument(String where, String property) {
        return named(where.isEmpty() ? property : where + "." + property);
    }

    private static String named(String path) {
        return path.isEmpty() ? "The arguments" : "Argument \"" + cut(path) + "\"";
    }

    /** {@code filter.must[2]} for the instance location {@code /filter/must/2}. */
    private static String path(Error error) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < error.getInstanceLocation().getNameCount(); i++) {
            Object step = error.getInstanceLocation().getElement(i);
            if (step instanceof Integer index) {
                path.append('[').append(index.intValue()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step);
            }
        }
        return path.toString();
    }

    private static String types(JsonNode rule) {
        if (rule.isTextual()) {
            return article(rule.asText());
        }
        List<String> words = new ArrayList<>();
        rule.forEach(type -> words.add(article(type.asText())));
        return String.join(" or ", words);
    }

    private static String article(String type) {
        return switch (type) {
            case "null" -> "null";
            case "integer", "array", "object" -> "an " + type;
            default -> "a " + type;
        };
    }

    private static int size(JsonNode node) {
        return node == null ? 0 : node.size();
    }

    private static String shown(@Nullable JsonNode node) {
        return node == null ? "nothing" : cut(Json.text(node));
    }

    private static String cut(String text) {
        return text.length() <= MAX_SHOWN ? text : SurrogatePairs.start(text, MAX_SHOWN) + "…";
    }
}
