package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import switchboard.backend.postgres.sql.CallerStatement;
import switchboard.backend.postgres.sql.NumberedParameters;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.Verb;

/**
 * A query of the configuration that becomes a tool.
 *
 * @param name the tool's name
 * @param settings its configuration
 * @param sql with {@code $1}, {@code $2}, ... instead of names
 * @param order the parameter of each number
 * @param verb the verb that a team needs
 */
record DeclaredQuery(String name, PostgresSettings.Query settings, String sql, List<String> order, Verb verb) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Set<Verb> VERBS = Set.of(Verb.READ, Verb.SEARCH, Verb.ADMIN);
    private static final String BINDING = "binding:";
    private static final String CLAIM = "claim:";

    /** The type of a parameter. */
    enum Type {
        STRING("string", "string", "text"),
        INTEGER("integer", "integer", "bigint"),
        NUMBER("number", "number", "numeric"),
        BOOLEAN("boolean", "boolean", "boolean"),
        DATE("date", "string", "text::date"),
        TIMESTAMP("timestamp", "string", "text::timestamptz"),
        STRINGS("string[]", "string", "text[]"),
        INTEGERS("integer[]", "integer", "text[]::bigint[]"),
        NUMBERS("number[]", "number", "text[]::numeric[]"),
        DATES("date[]", "string", "text[]::date[]"),
        /** A text that is embedded; the query compares its vector. */
        EMBEDDING("embedding", "string", "");

        private final String word;
        private final String json;
        private final String sql;

        Type(String word, String json, String sql) {
            this.word = word;
            this.json = json;
            this.sql = sql;
        }

        /** Whether the value is a list. */
        boolean list() {
            return word.endsWith("[]");
        }
    }

    private static final int LONGEST_LIST = 1_000;

    /**
     * Reads a query.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    static DeclaredQuery of(String name, PostgresSettings.Query settings) {
        if (!NAME.matcher(name).matches()) {
            throw wrong(name, "a tool's name is 1 to 64 of A-Z a-z 0-9 _ -");
        }
        settings.parameters().forEach((parameter, given) -> check(name, parameter, given));
        Map<String, String> types = new HashMap<>();
        settings.parameters().forEach((parameter, given) -> types.put(parameter, type(name, parameter, given).sql));
        NumberedParameters numbered;
        try {
            numbered =
                    NumberedParameters.of(CallerStatement.check(settings.sql()).sql(), types);
        } catch (ToolException refused) {
            throw wrong(name, "sql: " + refused.getMessage());
        }
        Set<String> unused = new HashSet<>(settings.parameters().keySet());
        numbered.order().forEach(unused::remove);
        if (!unused.isEmpty()) {
            throw wrong(name, "sql does not use " + String.join(", ", unused));
        }
        return new DeclaredQuery(name, settings, numbered.sql(), numbered.order(), verb(name, settings.verb()));
    }

    private static Verb verb(String name, String word) {
        return VERBS.stream()
                .filter(verb -> verb.word().equals(word))
                .findFirst()
                .orElseThrow(() -> wrong(name, "verb is one of read, search, admin"));
    }

    private static void check(String name, String parameter, PostgresSettings.Parameter settings) {
        Type type = type(name, parameter, settings);
        String from = settings.from();
        if (from != null
                && !from.equals("team")
                && !from.equals("principal")
                && !from.startsWith(BINDING)
                && !from.startsWith(CLAIM)) {
            throw wrong(name, "parameters." + parameter + ".from is team, principal, binding:<name> or claim:<name>");
        }
        if (from == null && settings.description() == null) {
            throw wrong(name, "parameters." + parameter + " needs a description, or from");
        }
        if (from != null && (type.list() || settings.optional())) {
            throw wrong(name, "parameters." + parameter + " with from is one value, which is never left out");
        }
        String fallback = settings.fallback();
        if (fallback != null && settings.optional()) {
            throw wrong(name, "parameters." + parameter + " has a fallback, or is optional: not both");
        }
        if (fallback != null) {
            literal(name, parameter, type, fallback);
        }
    }

    static Type type(String name, String parameter, PostgresSettings.Parameter settings) {
        String word = settings.type().toLowerCase(Locale.ROOT);
        return Arrays.stream(Type.values())
                .filter(type -> type.word.equals(word))
                .findFirst()
                .orElseThrow(() -> wrong(
                        name,
                        "parameters." + parameter + ".type is one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(Type.values())
                                                .map(type -> type.word)
                                                .toList())));
    }

    /** The names of the bindings that its parameters take. */
    Set<String> bindings() {
        Set<String> names = new HashSet<>();
        settings.parameters().values().forEach(parameter -> {
            String from = parameter.from();
            if (from != null && from.startsWith(BINDING)) {
                names.add(from.substring(BINDING.length()));
            }
        });
        return names;
    }

    /** Whether it has a parameter whose text is embedded. */
    boolean embeds() {
        return settings.parameters().entrySet().stream()
                .anyMatch(entry -> type(name, entry.getKey(), entry.getValue()) == Type.EMBEDDING);
    }

    /**
     * The value of {@code from} for a caller.
     *
     * @throws ToolException {@code DENIED} if the caller has none, or none that {@code settings} allow
     */
    static String given(String from, PostgresSettings.Parameter settings, Caller caller) {
        String value =
                switch (from) {
                    case "team" -> caller.team();
                    case "principal" -> caller.principal();
                    default -> from.startsWith(CLAIM) ? claim(from, caller) : binding(from, caller);
                };
        if (value.length() > settings.maxLength()
                || !(settings.values().isEmpty() || settings.values().contains(value))) {
            throw denied("This tool uses a value that is fixed for you, and does not accept yours. Ask the operator.");
        }
        return value;
    }

    private static String binding(String from, Caller caller) {
        return caller.binding(from.substring(BINDING.length()))
                .orElseThrow(
                        () -> denied("This tool uses a value that the operator binds to a team, and your team has none."
                                + " Ask the operator."))
                .value();
    }

    private static String claim(String from, Caller caller) {
        String name = from.substring(CLAIM.length());
        Claim claim = caller.claims().get(name);
        if (claim == null || claim.list()) {
            throw denied("This tool needs the claim \"" + name + "\" of the caller with one value, and there is none:"
                    + " nothing was run. A token has it if its issuer puts it there and the operator lists it (carry), a"
                    + " key if the teams file says so.");
        }
        return claim.texts().getFirst();
    }

    private static ToolException denied(String message) {
        return new ToolException(FailureKind.DENIED, message);
    }

    /** The schema of the arguments for agents. */
    ObjectNode inputSchema() {
        ObjectNode schema = Json.object().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        settings.parameters().forEach((parameter, given) -> {
            if (given.from() == null) {
                properties.set(parameter, property(parameter, given));
                if (given.fallback() == null && !given.optional()) {
                    schema.withArray("required").add(parameter);
                }
            }
        });
        return schema.put("additionalProperties", false);
    }

    private ObjectNode property(String parameter, PostgresSettings.Parameter given) {
        Type type = type(name, parameter, given);
        ObjectNode item = item(parameter, type, given);
        ObjectNode property = type.list() ? Json.object().put("type", "array").put("maxItems", LONGEST_LIST) : item;
        if (type.list()) {
            property.set("items", item);
        }
        if (given.optional()) {
            property.set("type", Json.array().add(property.path("type")).add("null"));
            if (property.has("enum")) {
                property.withArray("enum").addNull();
            }
        }
        property.put("description", given.description());
        String fallback = given.fallback();
        if (fallback != null) {
            property.set("default", literal(name, parameter, type, fallback));
        }
        return property;
    }

    /** The schema of one value. */
    private ObjectNode item(String parameter, Type type, PostgresSettings.Parameter given) {
        ObjectNode item = Json.object().put("type", type.json);
        switch (type) {
            case STRING, STRINGS, EMBEDDING -> item.put("maxLength", given.maxLength());
            case DATE, DATES -> item.put("format", "date").put("maxLength", given.maxLength());
            case TIMESTAMP -> item.put("format", "date-time").put("maxLength", given.maxLength());
            case INTEGER, NUMBER, INTEGERS, NUMBERS -> {
                item.put(
                        "minimum",
                        given.minimum() == null ? java.math.BigDecimal.valueOf(Long.MIN_VALUE) : given.minimum());
                item.put(
                        "maximum",
                        given.maximum() == null ? java.math.BigDecimal.valueOf(Long.MAX_VALUE) : given.maximum());
            }
            case BOOLEAN -> {}
        }
        given.values().forEach(value -> item.withArray("enum").add(one(name, parameter, type, value)));
        return item;
    }

    /** The value that {@code text} is; a list as JSON. */
    private static JsonNode literal(String name, String parameter, Type type, String text) {
        if (!type.list()) {
            return one(name, parameter, type, text);
        }
        try {
            JsonNode list = Json.parse(text);
            if (list.isArray()) {
                return list;
            }
        } catch (com.fasterxml.jackson.core.JsonProcessingException _) {
            // said below
        }
        throw wrong(name, "parameters." + parameter + ": " + text + " is not a list as JSON has it");
    }

    private static JsonNode one(String name, String parameter, Type type, String text) {
        try {
            return switch (type) {
                case STRING, STRINGS, DATE, DATES, TIMESTAMP, EMBEDDING ->
                    com.fasterxml.jackson.databind.node.TextNode.valueOf(text);
                case INTEGER, INTEGERS -> com.fasterxml.jackson.databind.node.LongNode.valueOf(Long.parseLong(text));
                case NUMBER, NUMBERS ->
                    com.fasterxml.jackson.databind.node.DecimalNode.valueOf(new java.math.BigDecimal(text));
                case BOOLEAN -> com.fasterxml.jackson.databind.node.BooleanNode.valueOf(Boolean.parseBoolean(text));
            };
        } catch (NumberFormatException _) {
            throw wrong(name, "parameters." + parameter + ": " + text + " is not of its type");
        }
    }

    private static IllegalArgumentException wrong(String name, String what) {
        return new IllegalArgumentException("queries." + name + ": " + what);
    }
}
