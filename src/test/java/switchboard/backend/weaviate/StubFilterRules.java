package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import switchboard.call.Json;

/** What a Weaviate refuses in a filter, in its words as recorded. */
final class StubFilterRules {
    private static final Set<String> COMBINATIONS = Set.of("And", "Or", "Not");
    private static final String OPERATORS = "[And Or Equal Like NotEqual GreaterThan GreaterThanEqual LessThan"
            + " LessThanEqual WithinGeoRange IsNull ContainsAny ContainsAll ContainsNone Not]";

    private StubFilterRules() {}

    /** Why {@code where} of a REST request can't be parsed. */
    static Optional<StubAnswer> json(JsonNode where) {
        if (where.path("path").isTextual()) {
            return unparsed("string", "path", "[]string");
        }
        for (Map.Entry<String, JsonNode> member : where.properties()) {
            if (member.getKey().equals("valueText") && member.getValue().isArray()) {
                return unparsed("array", "valueText", "string");
            }
            if (member.getKey().equals("valueText") && member.getValue().isNumber()) {
                return unparsed("number", "valueText", "string");
            }
            if (member.getKey().equals("valueInt") && !member.getValue().canConvertToExactIntegral()) {
                return unparsed("number " + member.getValue().asText(), "valueInt", "int64");
            }
        }
        String operator = where.path("operator").asText();
        return operator.isEmpty() || OPERATORS.matches(".*\\b" + operator + "\\b.*")
                ? Optional.empty()
                : Optional.of(StubAnswer.malformed(
                        422, 606, "match.match.where.operator in body should be one of " + OPERATORS));
    }

    private static Optional<StubAnswer> unparsed(String found, String field, String type) {
        return Optional.of(StubAnswer.unparsed("json: cannot unmarshal " + found
                + " into Go struct field WhereFilter.match.where." + field + " of type " + type));
    }

    /** What is wrong with the form of a clause, or of one in it. */
    static Optional<String> form(JsonNode where) {
        String operator = where.path("operator").asText().replace("@", "");
        List<String> values = where.properties().stream()
                .map(Map.Entry::getKey)
                .filter(key -> key.startsWith("value"))
                .toList();
        if (operator.isEmpty()) {
            return Optional.of("unrecognized operator: ");
        }
        if (COMBINATIONS.contains(operator)) {
            return combination(operator, where, values).map(message -> "invalid where filter: " + message);
        }
        if (where.path("path").isEmpty() && !where.path("path").isTextual()) {
            return Optional.of("invalid where filter: field 'path': must have at least one element");
        }
        if (values.isEmpty()) {
            return Optional.of("invalid where filter: got operator '" + operator + "', but no value<Type> field set");
        }
        return values.size() == 1
                ? Optional.empty()
                : Optional.of("invalid where filter: found more than one values the clause '"
                        + sorted((ObjectNode) where) + "'");
    }

    private static Optional<String> combination(String operator, JsonNode where, List<String> values) {
        String operand = "switch to compare operator (eg. Equal, NotEqual, etc.)";
        if (where.has("path")) {
            return Optional.of(
                    "operator '" + operator + "' not compatible with field 'path', remove 'path' or " + operand);
        }
        if (!values.isEmpty()) {
            return Optional.of("operator '" + operator
                    + "' not compatible with field 'value<Type>', remove value field or " + operand);
        }
        return where.path("operands").isEmpty()
                ? Optional.of("operator '" + operator + "', but no operands set - add at least one operand")
                : Optional.empty();
    }

    private static String sorted(ObjectNode where) {
        Map<String, JsonNode> members = new TreeMap<>();
        members.put("operands", Json.mapper().nullNode());
        where.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        return Json.text(Json.mapper().valueToTree(members));
    }

    /** What does not fit the collection {@code definition}. */
    static Optional<String> types(JsonNode where, JsonNode definition) {
        for (JsonNode operand : where.path("operands")) {
            Optional<String> wrong = types(operand, definition);
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        String name = where.path("path").path(0).asText();
        if (where.path("path").size() != 1 || name.equals("id") || name.startsWith("_") || name.startsWith("len(")) {
            return Optional.empty();
        }
        String type = type(definition, name);
        if (type.isEmpty()) {
            return Optional.of("no such prop with name '" + name + "' found in class '"
                    + definition.path("class").asText()
                    + "' in the schema. Check your schema files for which properties"
                    + " in this class are available");
        }
        String operator = where.path("operator").asText().replace("@", "");
        String element = type.replace("[]", "");
        String fitting = element.equals("uuid")
                ? "valueText"
                : "value" + element.substring(0, 1).toUpperCase(Locale.ROOT) + element.substring(1);
        String key = key(where).replaceFirst("Array$", "");
        boolean fits = key.equals(fitting) || key.equals("valueGeoRange") || (key + element).equals("valueStringtext");
        return operator.equals("IsNull") || Character.isUpperCase(type.charAt(0)) || fits
                ? Optional.empty()
                : Optional.of("data type filter cannot use \"" + key + "\" on type \"" + type + "\", use \"" + fitting
                        + "\" instead");
    }

    /** What is noticed only when objects are looked for. */
    static Optional<String> search(JsonNode where, JsonNode definition) {
        String operator = where.path("operator").asText().replace("@", "");
        int operands = where.path("operands").size();
        String resolve = "resolve doc ids for prop/value pair: ";
        if (operator.equals("Not") && operands > 1) {
            return Optional.of(resolve + "too many children for operator \"Not\". Expected 1, given " + operands);
        }
        if (operator.equals("IsNull")
                && !definition
                        .path("invertedIndexConfig")
                        .path("indexNullState")
                        .asBoolean()) {
            return Optional.of(resolve + "Nullstate must be indexed to be filterable! Add `indexNullState: true` to the"
                    + " invertedIndexConfig");
        }
        String value = where.path(key(where)).asText();
        if (key(where).equals("valueDate") && !isTime(value)) {
            return Optional.of("trying parse time as RFC3339 string: parsing time \"" + value
                    + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"\" as \"T\"");
        }
        boolean uuid = type(definition, where.path("path").path(0).asText()).startsWith("uuid");
        if (uuid && WeaviateIdentifiers.uuid(value).isEmpty()) {
            return Optional.of("parse uuid filter value: invalid UUID length: " + value.length());
        }
        return StubFilter.refusal(where);
    }

    private static boolean isTime(String text) {
        try {
            var _ = OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeParseException _) {
            return false;
        }
    }

    private static String key(JsonNode where) {
        return where.properties().stream()
                .map(Map.Entry::getKey)
                .filter(key -> key.startsWith("value"))
                .findFirst()
                .orElse("");
    }

    private static String type(JsonNode definition, String name) {
        for (JsonNode property : definition.path("properties")) {
            if (property.path("name").asText().equals(name)) {
                return property.path("dataType").path(0).asText();
            }
        }
        return "";
    }
}
