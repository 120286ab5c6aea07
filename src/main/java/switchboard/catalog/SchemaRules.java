package switchboard.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rules for an {@code inputSchema} in addition to JSON Schema 2020-12: a closed object whose values are all bounded,
 * without features at the root that some model APIs refuse.
 */
final class SchemaRules {
    /** An argument's default where the call has {@code budget_tokens}, if that is another one. */
    static final String BUDGET_DEFAULT = "x-budget-default";

    /** JSON Schema 2020-12 with MCP's annotation of arguments that are repeated in a header, and with ours. */
    static final Dialect DIALECT = Dialect.builder(Dialects.getDraft202012())
            .keyword(new NonValidationKeyword("x-mcp-header"))
            .keyword(new NonValidationKeyword(BUDGET_DEFAULT))
            .build();

    private static final Set<String> FORBIDDEN_AT_ROOT = Set.of("oneOf", "anyOf", "allOf", "$ref", "not", "if");

    private final List<String> violations = new ArrayList<>();

    private SchemaRules() {}

    /** The problems of {@code schema}; empty if there are none. */
    static List<String> violations(JsonNode schema) {
        SchemaRules rules = new SchemaRules();
        if (!schema.path("type").asText().equals("object")) {
            return List.of("must be an object schema with \"type\": \"object\"");
        }
        rules.root(schema);
        rules.properties("", schema.path("properties"));
        return rules.violations;
    }

    private void root(JsonNode schema) {
        if (!schema.path("additionalProperties").isBoolean()
                || schema.path("additionalProperties").asBoolean()) {
            violations.add("must say \"additionalProperties\": false");
        }
        for (String keyword : FORBIDDEN_AT_ROOT) {
            if (schema.has(keyword)) {
                violations.add("must not use " + keyword + " at its root");
            }
        }
        for (JsonNode required : schema.path("required")) {
            if (!schema.path("properties").has(required.asText())) {
                violations.add("requires \"" + required.asText() + "\", which it does not declare");
            }
        }
        try {
            SchemaRegistry.withDefaultDialect(DIALECT).getSchema(schema);
        } catch (SchemaException e) {
            violations.add("does not compile: " + e.getMessage());
        }
    }

    private void properties(String path, JsonNode properties) {
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            String name = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
            if (path.isEmpty() && !property.getValue().path("description").isTextual()) {
                violations.add("property " + name + " has no description");
            }
            bounded(name, property.getValue());
        }
    }

    private void bounded(String name, JsonNode schema) {
        if (schema.has("enum") || schema.has("const")) {
            return;
        }
        for (String combinator : List.of("anyOf", "oneOf")) {
            for (JsonNode branch : schema.path(combinator)) {
                bounded(name, branch);
            }
        }
        for (String type : types(schema)) {
            switch (type) {
                case "string" -> need(name, schema, "maxLength");
                case "integer", "number" -> range(name, schema);
                case "array" -> {
                    need(name, schema, "maxItems");
                    bounded(name + "[]", schema.path("items"));
                }
                case "object" -> object(name, schema);
                default -> {}
            }
        }
    }

    private void object(String name, JsonNode schema) {
        JsonNode rest = schema.path("additionalProperties");
        if (!rest.isBoolean() || rest.asBoolean()) {
            need(name, schema, "maxProperties");
        }
        properties(name, schema.path("properties"));
        if (rest.isObject()) {
            bounded(name + ".*", rest);
        }
    }

    /** Values under keys that the caller chooses have no known range. */
    private void range(String name, JsonNode schema) {
        if (!name.endsWith(".*")) {
            need(name, schema, "minimum", "exclusiveMinimum");
            need(name, schema, "maximum", "exclusiveMaximum");
        }
    }

    private void need(String name, JsonNode schema, String... anyOf) {
        for (String keyword : anyOf) {
            if (schema.has(keyword)) {
                return;
            }
        }
        violations.add("property " + name + " has no " + anyOf[0]);
    }

    private static List<String> types(JsonNode schema) {
        JsonNode type = schema.path("type");
        if (type.isTextual()) {
            return List.of(type.asText());
        }
        List<String> types = new ArrayList<>();
        type.forEach(one -> types.add(one.asText()));
        return types;
    }
}
