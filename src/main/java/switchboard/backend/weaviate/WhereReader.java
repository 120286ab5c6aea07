package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.call.ToolException;

/**
 * Parses filters of callers. Weaviate answers common mistakes with parser messages, with status 500, or not at all;
 * here each mistake gets a message with the correct form. If the schema is known, value types are checked against
 * property types; whole numbers are accepted as {@code valueInt} and {@code valueNumber}.
 */
final class WhereReader {
    private static final int MAX_DEPTH = 10;
    private static final int MAX_CLAUSES = 500;
    private static final int MAX_STEPS = 19;
    private static final Set<String> STRUCTURE = Set.of("operator", "path", "operands");
    private static final Pattern STEP =
            Pattern.compile("[_A-Za-z][_0-9A-Za-z.\\[\\]]{0,255}|len\\([_A-Za-z][_0-9A-Za-z]{0,230}\\)");
    private static final String LENGTH = "len(";
    private static final Set<String> LIKE_TYPES = Set.of("text", "string");
    private static final Set<String> INCOMPARABLE = Set.of("blob", "phoneNumber", "object");
    private static final String OPERATORS = Stream.of(WhereFilter.Operator.values())
            .map(WhereFilter.Operator::word)
            .collect(Collectors.joining(", "));

    private final Optional<CollectionSchema> schema;
    private final TenantScope tenantScope;
    private int clauses;

    private WhereReader(Optional<CollectionSchema> schema, TenantScope tenantScope) {
        this.schema = schema;
        this.tenantScope = tenantScope;
    }

    /**
     * Parses a filter.
     *
     * @param argument its name in messages
     * @param schema of the collection, if it could be read
     * @param tenantScope the collections that cross-references may point to
     * @throws ToolException {@code INVALID_ARGUMENT}, or {@code DENIED} for a cross-reference to a hidden collection
     */
    static WhereFilter read(
            String argument, ObjectNode filter, Optional<CollectionSchema> schema, TenantScope tenantScope) {
        UnicodeValidation.require(filter);
        return new WhereReader(schema, tenantScope).clause(argument, filter, 1);
    }

    private WhereFilter clause(String at, JsonNode node, int depth) {
        if (!node.isObject()) {
            throw WeaviateIdentifiers.invalid(
                    at + " must be an object such as {\"path\": [\"status\"], \"operator\": \"Equal\","
                            + " \"valueText\": \"draft\"}.");
        }
        if (depth > MAX_DEPTH || ++clauses > MAX_CLAUSES) {
            throw WeaviateIdentifiers.invalid(at + " is too much: a filter may be " + MAX_DEPTH
                    + " levels deep and have " + MAX_CLAUSES + " clauses.");
        }
        WhereFilter.Operator operator = operator(at, node.path("operator"));
        return switch (operator.operands()) {
            case COMBINATION -> combination(at, operator, node, depth);
            case SCALAR, LIST -> comparison(at, operator, node);
        };
    }

    private static WhereFilter.Operator operator(String at, JsonNode given) {
        WhereFilter.Operator operator = given.isTextual() ? WhereFilter.Operator.of(given.asText()) : null;
        if (operator == null) {
            String problem = given.isTextual()
                    ? ": unknown operator " + WeaviateIdentifiers.quoted(given.asText())
                    : " needs an operator";
            throw WeaviateIdentifiers.invalid(at + problem + "; it is one of " + OPERATORS + ".");
        }
        return operator;
    }

    private WhereFilter combination(String at, WhereFilter.Operator operator, JsonNode node, int depth) {
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            if (member.getKey().equals("path") || member.getKey().startsWith("value")) {
                throw WeaviateIdentifiers.invalid(at + ": " + operator.word() + " takes no "
                        + WeaviateIdentifiers.quoted(member.getKey())
                        + ": remove it here and put path and value into each operand, as in {\"operator\": \""
                        + operator.word() + "\", \"operands\": [{\"path\": [\"status\"], \"operator\": \"Equal\","
                        + " \"valueText\": \"draft\"}]}.");
            }
            requireKnown(at, member.getKey());
        }
        JsonNode operands = node.path("operands");
        if (!operands.isArray() || operands.isEmpty()) {
            throw WeaviateIdentifiers.invalid(
                    at + ": " + operator.word() + " needs operands, an array of at least one filter.");
        }
        if (operator == WhereFilter.Operator.NOT && operands.size() != 1) {
            throw WeaviateIdentifiers.invalid(at + ": Not takes exactly one operand, got " + operands.size()
                    + "; combine them with And or Or inside it.");
        }
        List<WhereFilter> read = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            read.add(clause(at + ".operands[" + i + "]", operands.get(i), depth + 1));
        }
        return new WhereFilter.Combination(operator, List.copyOf(read));
    }

    private WhereFilter comparison(String at, WhereFilter.Operator operator, JsonNode node) {
        if (node.has("operands")) {
            throw WeaviateIdentifiers.invalid(
                    at + ": " + operator.word() + " takes no operands; And, Or and Not combine filters.");
        }
        List<String> path = asStored(path(at, node.path("path")));
        if (node.has("value")) { // the form comes before what is in it
            throw WeaviateIdentifiers.invalid(at + ": there is no plain \"value\"; write "
                    + WhereValue.example(typeIfKnown(path), node.path("value")) + " instead, by the property's type.");
        }
        String type = typeOf(at, path);
        List<String> keys = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            requireKnown(at, member.getKey());
            if (member.getKey().startsWith("value")) {
                keys.add(member.getKey());
            }
        }
        if (keys.size() != 1) {
            String problem = keys.isEmpty() ? " has no value" : " has several values, " + String.join(" and ", keys);
            throw WeaviateIdentifiers.invalid(at + problem + "; give exactly one, by the property's type, such as "
                    + WhereValue.example(type, node.path("valueText")) + ".");
        }
        requireNullIndex(at, operator);
        requireComparable(at, operator, path, type);
        WhereValue value = WhereValue.read(at, keys.getFirst(), node.path(keys.getFirst()), operator, type);
        return new WhereFilter.PropertyComparison(operator, path, value.type(), value.json());
    }

    private static List<String> path(String at, JsonNode given) {
        if (given.isTextual()) {
            throw WeaviateIdentifiers.invalid(at + ": path must be an array, even for one property: \"path\": ["
                    + WeaviateIdentifiers.quoted(given.asText()) + "].");
        }
        if (!given.isArray() || given.isEmpty() || given.size() > MAX_STEPS) {
            throw WeaviateIdentifiers.invalid(at + " needs a path, an array of names such as \"path\": [\"status\"].");
        }
        List<String> path = new ArrayList<>();
        for (JsonNode step : given) {
            if (!step.isTextual() || !STEP.matcher(step.asText()).matches()) {
                throw WeaviateIdentifiers.invalid(
                        at + ": path holds " + WeaviateIdentifiers.quoted(step.asText()) + ", which is not a name.");
            }
            path.add(step.asText());
        }
        if (path.size() % 2 == 0) {
            throw WeaviateIdentifiers.invalid(
                    at + ": a path is a property, or a cross-reference, its collection and a property of"
                            + " that, such as [\"hasAuthor\", \"Author\", \"name\"].");
        }
        return List.copyOf(path);
    }

    /** The path with the stored name of the property: Weaviate accepts no other way of writing it in a filter. */
    private List<String> asStored(List<String> given) {
        String first = given.getFirst();
        boolean length = first.startsWith(LENGTH);
        String name = length ? first.substring(LENGTH.length(), first.length() - 1) : first;
        List<String> path = new ArrayList<>(given);
        schema.flatMap(known -> known.property(name))
                .map(CollectionSchema.Property::name)
                .ifPresent(stored -> path.set(0, length ? LENGTH + stored + ")" : stored));
        return List.copyOf(path);
    }

    /** The data type of a property of the collection itself; {@code ""} for any other path. */
    private String typeIfKnown(List<String> path) {
        return path.size() > 1
                ? ""
                : schema.flatMap(known -> known.property(path.getFirst()))
                        .map(CollectionSchema.Property::elementType)
                        .orElse("");
    }

    /** The data type at the end of the path; {@code ""} if it is not known. */
    private String typeOf(String at, List<String> path) {
        for (int i = 1; i < path.size(); i += 2) {
            String target = tenantScope.collection(path.get(i));
            tenantScope.requireReferences(target);
        }
        String first = path.getFirst();
        if (first.equals("id") || first.equals("_id")) {
            return "text";
        }
        if (schema.isEmpty() || first.startsWith("_") || first.indexOf('.') >= 0) {
            return "";
        }
        boolean length = first.startsWith(LENGTH);
        String name = length ? first.substring(LENGTH.length(), first.length() - 1) : first;
        CollectionSchema.Property property = schema.get()
                .property(name)
                .orElseThrow(() -> WeaviateIdentifiers.invalid(at + ": collection "
                        + WeaviateIdentifiers.quoted(schema.get().name()) + " has no property "
                        + WeaviateIdentifiers.quoted(name) + "; it has "
                        + WeaviateIdentifiers.listed(
                                new TreeSet<>(schema.get().properties().keySet())) + "."));
        if (length) {
            return "int";
        }
        return path.size() > 1 ? "" : property.elementType();
    }

    /** Weaviate refuses some comparisons with advice that can't be followed, and finds nothing with others. */
    private static void requireComparable(String at, WhereFilter.Operator operator, List<String> path, String type) {
        if (operator == WhereFilter.Operator.IS_NULL) {
            return;
        }
        if (INCOMPARABLE.contains(type)) {
            throw WeaviateIdentifiers.invalid(at + ": " + WeaviateIdentifiers.quoted(path.getFirst())
                    + " is of the type " + type + ", which Weaviate can't compare; filter by another property.");
        }
        if (operator == WhereFilter.Operator.LIKE && !type.isEmpty() && !LIKE_TYPES.contains(type)) {
            throw WeaviateIdentifiers.invalid(at + ": Like compares texts, and "
                    + WeaviateIdentifiers.quoted(path.getFirst()) + " is of the type " + type + "; use Equal.");
        }
    }

    private void requireNullIndex(String at, WhereFilter.Operator operator) {
        if (operator == WhereFilter.Operator.IS_NULL
                && schema.isPresent()
                && !schema.get().nullIndexed()) {
            throw WeaviateIdentifiers.invalid(at + ": IsNull can't be asked of collection "
                    + WeaviateIdentifiers.quoted(schema.get().name())
                    + ": it was created without invertedIndexConfig.indexNullState.");
        }
    }

    private static void requireKnown(String at, String key) {
        if (!STRUCTURE.contains(key) && !WhereValue.isKey(key)) {
            throw WeaviateIdentifiers.invalid(at + ": unknown key " + WeaviateIdentifiers.quoted(key)
                    + "; a filter has path, operator and one of " + WhereValue.KEYS + ", or operator and operands.");
        }
    }
}
