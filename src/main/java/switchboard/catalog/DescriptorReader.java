package switchboard.catalog;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.call.Verb;

/** Reads a {@code tools.json}; reports every problem of the file at once. */
public final class DescriptorReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,6})(ms|s|m)");
    private static final int LONGEST_TASK = 60;
    private static final int MOST_EXAMPLES = 12;
    private static final int LONGEST_EXAMPLE = 100;
    private static final Set<String> KEYS = Set.of(
            "name",
            "title",
            "description",
            "task",
            "examples",
            "inputSchema",
            "outputSchema",
            "verbs",
            "perBackend",
            "scope",
            "timeout",
            "idempotent",
            "maxResultBytes",
            "longRunning",
            "gate",
            "errorStyle",
            "extension",
            "core",
            "results",
            "query");

    private final String file;
    private final List<String> problems = new ArrayList<>();

    private DescriptorReader(String file) {
        this.file = file;
    }

    /**
     * Reads the descriptors in {@code json}, in the order of the file.
     *
     * @param file its name in messages
     * @throws InvalidDescriptors with all problems
     */
    public static List<ToolDescriptor> read(String file, byte[] json) {
        DescriptorReader reader = new DescriptorReader(file);
        List<ToolDescriptor> tools = reader.tools(json);
        if (!reader.problems.isEmpty()) {
            throw new InvalidDescriptors(reader.problems);
        }
        return tools;
    }

    private List<ToolDescriptor> tools(byte[] json) {
        JsonNode root;
        try {
            root = Json.parse(json);
        } catch (JsonProcessingException e) {
            problems.add(file + ": not JSON: " + Json.problem(e));
            return List.of();
        }
        if (!root.path("tools").isArray() || root.size() != 1) {
            problems.add(file + ": must be an object with the one key \"tools\", an array");
            return List.of();
        }
        List<ToolDescriptor> tools = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonNode entry : root.path("tools")) {
            String name = entry.path("name").asText();
            if (!NAME.matcher(name).matches()) {
                problems.add(file + ": tool name \"" + name + "\" is not 1 to 64 of A-Z a-z 0-9 _ -");
            } else if (!names.add(name)) {
                problems.add(file + ": tool " + name + " is declared twice");
            } else {
                ToolDescriptor tool = tool(name, entry);
                if (tool != null) {
                    tools.add(tool);
                }
            }
        }
        return tools;
    }

    private @Nullable ToolDescriptor tool(String name, JsonNode entry) {
        int before = problems.size();
        checkKeys(name, entry);
        String title = text(name, entry, "title");
        String description = text(name, entry, "description");
        String task = task(name, entry.path("task"));
        List<String> examples = examples(name, entry.path("examples"));
        Set<Verb> verbs = verbs(name, entry.path("verbs"));
        JsonPointer scope = argument(name, entry, "scope");
        Duration timeout = timeout(name, entry.path("timeout"));
        checkSettings(name, entry);
        ToolDescriptor.RankedResults results = results(name, entry);
        if (problems.size() > before) {
            return null;
        }
        return new ToolDescriptor(
                name,
                new ToolDescriptor.Texts(title, description, task, examples),
                schemas(entry, results != null),
                new ToolDescriptor.Effects(
                        verbs,
                        scope,
                        entry.path("idempotent").asBoolean(),
                        entry.path("perBackend").asBoolean(false)),
                new ToolDescriptor.Limits(
                        timeout,
                        entry.path("maxResultBytes").asInt(),
                        entry.path("longRunning").asBoolean(false)),
                new ToolDescriptor.Availability(
                        entry.path("gate").isTextual() ? entry.path("gate").asText() : null,
                        entry.path("extension").asBoolean(false),
                        entry.path("core").asBoolean(false)),
                new ToolDescriptor.AnswerFormat(errorStyle(entry), results),
                null);
    }

    private void checkKeys(String name, JsonNode entry) {
        entry.fieldNames().forEachRemaining(key -> {
            if (!KEYS.contains(key)) {
                problem(name, "unknown key \"" + key + "\"");
            }
        });
    }

    private void checkSettings(String name, JsonNode entry) {
        if (!entry.path("idempotent").isBoolean()) {
            problem(name, "\"idempotent\" must be true or false");
        }
        if (!entry.path("maxResultBytes").canConvertToInt()
                || entry.path("maxResultBytes").asInt() < 1) {
            problem(name, "\"maxResultBytes\" must be a positive number");
        }
        if (entry.has("longRunning") && !entry.path("longRunning").isBoolean()) {
            problem(name, "\"longRunning\" must be true or false");
        }
        if (entry.path("perBackend").asBoolean() && entry.has("scope")) {
            problem(name, "\"perBackend\" and \"scope\" exclude each other");
        }
        for (String rule : SchemaRules.violations(entry.path("inputSchema"))) {
            problem(name, "inputSchema " + rule);
        }
        JsonNode output = entry.path("outputSchema");
        if (!output.isMissingNode() && !output.path("type").asText().equals("object")) {
            problem(name, "\"outputSchema\" must have the type \"object\"");
        }
    }

    /** The schemas, with the arguments and the answer of tools whose results can be cut. */
    private static ToolDescriptor.Schemas schemas(JsonNode entry, boolean cut) {
        ObjectNode input = (ObjectNode) entry.path("inputSchema");
        ObjectNode output = entry.path("outputSchema") instanceof ObjectNode object ? object : null;
        return cut && output != null
                ? new ToolDescriptor.Schemas(AnswerArguments.input(input), AnswerArguments.output(output))
                : new ToolDescriptor.Schemas(input, output);
    }

    private ToolDescriptor.@Nullable RankedResults results(String name, JsonNode entry) {
        JsonNode results = entry.path("results");
        if (results.isMissingNode()) {
            return null;
        }
        JsonNode property = entry.path("outputSchema").path("properties").path(results.asText());
        if (!property.path("type").asText().equals("array")) {
            problem(name, "\"results\" must name an array of outputSchema");
        }
        JsonNode arguments = entry.path("inputSchema").path("properties");
        for (String argument : AnswerArguments.NAMES) {
            if (arguments.has(argument)) {
                problem(name, "\"" + argument + "\" is added to every tool with \"results\"; leave it out");
            }
        }
        if (entry.has("query")) {
            return new ToolDescriptor.RankedResults(results.asText(), argument(name, entry, "query"));
        }
        return new ToolDescriptor.RankedResults(
                results.asText(), arguments.has("query") ? JsonPointer.compile("/query") : null);
    }

    private String text(String name, JsonNode entry, String key) {
        String value = entry.path(key).asText();
        if (!entry.path(key).isTextual() || value.isBlank()) {
            problem(name, "\"" + key + "\" is missing");
        }
        return value;
    }

    private @Nullable String task(String name, JsonNode task) {
        if (task.isMissingNode()) {
            return null;
        }
        if (!task.isTextual() || task.asText().isBlank() || task.asText().length() > LONGEST_TASK) {
            problem(name, "\"task\" must be a text of 1 to " + LONGEST_TASK + " characters");
        }
        return task.asText();
    }

    private List<String> examples(String name, JsonNode examples) {
        List<String> texts = new ArrayList<>();
        boolean valid = examples.isMissingNode() || (examples.isArray() && examples.size() <= MOST_EXAMPLES);
        for (JsonNode example : examples) {
            texts.add(example.asText());
            valid &= example.isTextual()
                    && !example.asText().isBlank()
                    && example.asText().length() <= LONGEST_EXAMPLE;
        }
        if (!valid) {
            problem(
                    name,
                    "\"examples\" must be a list of up to " + MOST_EXAMPLES + " texts of 1 to " + LONGEST_EXAMPLE
                            + " characters");
        }
        return texts;
    }

    private Set<Verb> verbs(String name, JsonNode words) {
        EnumSet<Verb> verbs = EnumSet.noneOf(Verb.class);
        for (JsonNode word : words) {
            try {
                verbs.add(Verb.valueOf(word.asText().toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                problem(name, "unknown verb \"" + word.asText() + "\"");
            }
        }
        if (verbs.isEmpty()) {
            problem(name, "\"verbs\" must name at least one verb");
        }
        return verbs;
    }

    private @Nullable JsonPointer argument(String name, JsonNode entry, String key) {
        JsonNode pointer = entry.path(key);
        if (pointer.isMissingNode() || pointer.isNull()) {
            return null;
        }
        String[] path = pointer.asText().split("/", -1);
        if (path.length != 2 || !entry.path("inputSchema").path("properties").has(path[1])) {
            problem(name, "\"" + key + "\" must be the JSON pointer of an argument, such as \"/library\"");
            return null;
        }
        return JsonPointer.compile(pointer.asText());
    }

    private Duration timeout(String name, JsonNode text) {
        Matcher matcher = DURATION.matcher(text.asText());
        if (!matcher.matches()) {
            problem(name, "\"timeout\" must be a duration such as 30s");
            return Duration.ZERO;
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            default -> Duration.ofMinutes(amount);
        };
    }

    private static ToolDescriptor.ErrorStyle errorStyle(JsonNode entry) {
        return entry.path("errorStyle").asText().equals("status")
                ? ToolDescriptor.ErrorStyle.STATUS
                : ToolDescriptor.ErrorStyle.SENTENCE;
    }

    private void problem(String tool, String what) {
        problems.add(file + ": tool " + tool + ": " + what);
    }

    /** A descriptor file that is not valid. */
    public static final class InvalidDescriptors extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final transient List<String> problems;

        InvalidDescriptors(List<String> problems) {
            super(String.join("\n", problems));
            this.problems = List.copyOf(problems);
        }

        /** The problems, a sentence each. */
        public List<String> problems() {
            return problems;
        }
    }
}
