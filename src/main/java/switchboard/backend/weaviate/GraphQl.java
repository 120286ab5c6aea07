package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.StringJoiner;
import switchboard.call.Json;

/**
 * Builds a GraphQL document {@code {Get{Collection(arguments){selection}}}}. Values are variables where Weaviate
 * supports them; {@code limit}, {@code offset} and lists in filters must be literals.
 */
final class GraphQl {
    private final String collection;
    private final StringJoiner declarations = new StringJoiner(",", "query(", ")").setEmptyValue("");
    private final StringJoiner arguments = new StringJoiner(",", "(", ")").setEmptyValue("");
    private final ObjectNode variables = Json.object();

    /** A document that gets objects of {@code collection}, a checked name. */
    GraphQl(String collection) {
        this.collection = collection;
    }

    /** Declares the variable {@code $name} and gives it a value; {@code type} is a GraphQL type. */
    GraphQl variable(String name, String type, JsonNode value) {
        declarations.add("$" + name + ":" + type);
        variables.set(name, value);
        return this;
    }

    /** Adds an argument as it stands: a literal, or a variable. */
    GraphQl argument(String name, String literal) {
        arguments.add(name + ":" + literal);
        return this;
    }

    /** Adds a filter. */
    GraphQl where(WhereFilter whereFilter) {
        whereFilter
                .variable()
                .ifPresentOrElse(
                        value -> variable("w", "GetObjects" + collection + "WhereInpObj", value)
                                .argument("where", "$w"),
                        () -> argument("where", whereFilter.literal()));
        return this;
    }

    /** The body of the request, selecting {@code selection}. */
    ObjectNode document(String selection) {
        ObjectNode document = Json.object();
        document.put("query", declarations + "{Get{" + collection + arguments + "{" + selection + "}}}");
        if (!variables.isEmpty()) {
            document.set("variables", variables);
        }
        return document;
    }

    /**
     * {@code value} as a literal. Texts are escaped as in JSON, but characters beyond ASCII are not escaped, because
     * Weaviate does not join escaped surrogate pairs.
     */
    static String literal(JsonNode value) {
        if (value.isArray()) {
            StringJoiner list = new StringJoiner(",", "[", "]");
            value.forEach(element -> list.add(literal(element)));
            return list.toString();
        }
        if (value.isObject()) {
            StringJoiner object = new StringJoiner(",", "{", "}");
            value.properties().forEach(member -> object.add(member.getKey() + ":" + literal(member.getValue())));
            return object.toString();
        }
        return Json.text(value);
    }
}
