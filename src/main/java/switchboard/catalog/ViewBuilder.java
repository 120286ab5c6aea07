package switchboard.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import switchboard.call.Json;
import switchboard.text.ClosestName;

/** Builds a view from its {@link ViewSpec}, and reports all problems. */
final class ViewBuilder {
    private final ViewSpec spec;
    private final Map<String, PublishedTool> known = new TreeMap<>();
    private final List<String> problems;

    /**
     * A builder.
     *
     * @param all every tool under its own name
     * @param problems receives problems
     */
    ViewBuilder(ViewSpec spec, List<PublishedTool> all, List<String> problems) {
        this.spec = spec;
        this.problems = problems;
        for (PublishedTool tool : all) {
            if (spec.backends().contains(tool.backend()) || searchesTools(tool)) {
                known.put(tool.backend() + ToolCatalog.SEPARATOR + tool.name(), tool);
            }
        }
    }

    View build() {
        for (Set<String> mentioned : List.of(
                Set.copyOf(spec.tools()),
                spec.rename().keySet(),
                spec.texts().keySet(),
                spec.arguments().pinned().keySet(),
                spec.arguments().defaults().keySet())) {
            new TreeSet<>(mentioned).forEach(this::mustBeKnown);
        }
        Map<String, PublishedTool> shown = new TreeMap<>();
        known.forEach((key, tool) -> {
            if (spec.tools().isEmpty() || spec.tools().contains(key) || searchesTools(tool)) {
                PublishedTool curated = curate(key, tool);
                if (shown.putIfAbsent(curated.name(), curated) != null) {
                    problem("two tools are called " + curated.name() + "; rename one of them");
                }
            }
        });
        View view = new View(spec.name(), spec.backends(), new ArrayList<>(shown.values()), Map.of(), Map.of())
                .within(new ViewResourcesBuilder(spec, known, this::problem).build())
                .citing(spec.listing().refs());
        return switch (spec.listing().tools()) {
            case ALL -> view;
            case TOOL_SEARCH -> {
                if (shown.values().stream().noneMatch(this::searchesTools)) {
                    problem("there is nothing to search, so there is no find_tools");
                }
                yield view.throughToolSearch();
            }
        };
    }

    private boolean searchesTools(PublishedTool tool) {
        return switch (spec.listing().tools()) {
            case ALL -> false;
            case TOOL_SEARCH -> ToolSearch.has(tool.backend(), tool.descriptor());
        };
    }

    private PublishedTool curate(String key, PublishedTool tool) {
        String name = spec.rename().getOrDefault(key, tool.name());
        if (!ToolNames.usable(name)) {
            problem("the name \"" + name + "\" of " + key + " is not 1 to 64 of A-Z a-z 0-9 _ -");
        }
        Map<String, JsonNode> pinned = spec.arguments().pinned().getOrDefault(key, Map.of());
        Map<String, JsonNode> defaults = spec.arguments().defaults().getOrDefault(key, Map.of());
        new TreeMap<>(pinned).forEach((argument, value) -> fits(key, tool, argument, value));
        new TreeMap<>(defaults).forEach((argument, value) -> fits(key, tool, argument, value));
        ObjectNode schema = schema(tool.descriptor().inputSchema(), pinned.keySet(), defaults);
        ToolDescriptor descriptor = tool.descriptor()
                .withTexts(spec.texts().getOrDefault(key, tool.descriptor().description()), schema);
        ArgumentValidator validator = pinned.isEmpty() && defaults.isEmpty()
                ? tool.validator()
                : new PinnedArguments(new SchemaArgumentValidator(schema), pinned);
        PublishedTool published = ToolCatalog.publish(
                name, tool.backend(), spec.listing().signals() ? descriptor : descriptor.withoutSignals(), validator);
        return spec.listing().outputSchemas() ? published : published.withoutOutputSchema();
    }

    /** Checks that the tool has the argument and accepts that value. */
    private void fits(String key, PublishedTool tool, String argument, JsonNode value) {
        JsonNode properties = tool.descriptor().inputSchema().path("properties");
        if (!properties.has(argument)) {
            problem(key + " has no argument \"" + argument + "\"");
            return;
        }
        ObjectNode alone = Json.object().put("type", "object").put("additionalProperties", false);
        alone.putObject("properties").set(argument, properties.get(argument));
        ObjectNode arguments = Json.object();
        arguments.set(argument, value);
        if (new SchemaArgumentValidator(alone).check(arguments)
                instanceof ArgumentValidator.Validation.Invalid invalid) {
            problem(key + ": " + String.join(" ", invalid.problems()));
        }
    }

    private static ObjectNode schema(ObjectNode original, Set<String> pinned, Map<String, JsonNode> defaults) {
        if (pinned.isEmpty() && defaults.isEmpty()) {
            return original;
        }
        ObjectNode schema = original.deepCopy();
        ObjectNode properties = (ObjectNode) schema.path("properties");
        properties.remove(pinned);
        defaults.forEach((argument, value) -> {
            if (properties.get(argument) instanceof ObjectNode property) {
                property.set("default", value);
                property.remove(SchemaRules.BUDGET_DEFAULT);
            }
        });
        if (schema.get("required") instanceof ArrayNode required) {
            ArrayNode left = schema.putArray("required");
            required.forEach(name -> {
                if (!pinned.contains(name.asText()) && !defaults.containsKey(name.asText())) {
                    left.add(name);
                }
            });
        }
        return schema;
    }

    private void mustBeKnown(String key) {
        if (!known.containsKey(key) && !awaited(key)) {
            problem("there is no tool \"" + key + "\""
                    + ClosestName.of(key, known.keySet())
                            .map(near -> "; did you mean " + near + "?")
                            .orElse(""));
        }
    }

    /**
     * Whether {@code key} may be a tool of another server that is not connected yet. The view is checked again
     * afterwards.
     */
    private boolean awaited(String key) {
        int end = key.indexOf(ToolCatalog.SEPARATOR);
        return end > 0
                && spec.backends().contains(key.substring(0, end))
                && known.values().stream().noneMatch(tool -> tool.backend().equals(key.substring(0, end)));
    }

    private void problem(String what) {
        problems.add("views." + spec.name() + ": " + what);
    }

    /**
     * Validates the caller's arguments, then adds the pinned ones. A caller must not send those, even where the schema
     * allows arguments that it does not name.
     */
    private record PinnedArguments(ArgumentValidator rest, Map<String, JsonNode> pinned) implements ArgumentValidator {
        @Override
        public Validation check(ObjectNode arguments) {
            List<String> sent =
                    pinned.keySet().stream().filter(arguments::has).sorted().toList();
            return switch (rest.check(arguments)) {
                case Validation.Invalid invalid -> invalid;
                case Validation.Valid _
                when !sent.isEmpty() ->
                    new Validation.Invalid(sent.stream()
                            .map(argument -> "Argument \"" + argument + "\" is not known.")
                            .toList());
                case Validation.Valid valid -> {
                    ObjectNode complete = valid.arguments().copy();
                    new HashMap<>(pinned).forEach(complete::set);
                    yield new Validation.Valid(switchboard.call.Arguments.of(complete));
                }
            };
        }
    }
}
