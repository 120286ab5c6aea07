package switchboard.catalog;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Arguments;
import switchboard.call.Verb;

/**
 * A tool as declared in {@code backends/<type>/tools.json}, the only declaration of a tool.
 *
 * @param name its name at the backend, 1 to 64 of {@code [A-Za-z0-9_-]}
 * @param title a short name for people
 * @param description the description for agents
 * @param inputSchema JSON Schema 2020-12, an object without unknown properties; must not be changed
 * @param outputSchema JSON Schema of {@code structuredContent}, open, or null if the tool answers with blocks only
 * @param verbs what it does; never empty
 * @param scope where the arguments name the resource (a string, or an array of strings), or null if they don't
 * @param timeout time limit of a call
 * @param idempotent whether repeating a call with the same arguments changes nothing more
 * @param maxResultBytes maximum size of a result
 * @param gate the setting of the backend that switches the tool on, or null
 * @param errorStyle the format of failures
 * @param extension whether the original server lacks it; then the view for that server lacks it, too
 * @param results the ranked results, where an answer can be cut, or null. Such a tool accepts
 *     {@link AnswerArguments}
 * @param original the entry in another server's list, passed on unchanged except for its name; null for a tool of the
 *     gateway; must not be changed
 */
public record ToolDescriptor(
        String name,
        String title,
        String description,
        ObjectNode inputSchema,
        @Nullable ObjectNode outputSchema,
        Set<Verb> verbs,
        @Nullable JsonPointer scope,
        Duration timeout,
        boolean idempotent,
        int maxResultBytes,
        @Nullable String gate,
        ErrorStyle errorStyle,
        boolean extension,
        @Nullable RankedResults results,
        @Nullable ObjectNode original) {
    /**
     * Ranked results of an answer.
     *
     * @param key the array of {@code structuredContent} that holds them
     * @param query where the arguments have the query, or null if there is none
     */
    public record RankedResults(String key, @Nullable JsonPointer query) {
        /** The query in {@code arguments}; empty if there is none. */
        public String query(Arguments arguments) {
            return query == null
                    ? ""
                    : arguments.at(query).map(JsonNode::asText).orElse("");
        }
    }

    /** The format of a failure in the first content block. */
    public enum ErrorStyle {
        /** A sentence. */
        SENTENCE,
        /** The JSON object {@code {"status":"error","error":"a sentence"}}, as mcpvectordb documents it. */
        STATUS
    }

    public ToolDescriptor {
        verbs = Set.copyOf(verbs);
    }

    /** A tool of the gateway. */
    public ToolDescriptor(
            String name,
            String title,
            String description,
            ObjectNode inputSchema,
            @Nullable ObjectNode outputSchema,
            Set<Verb> verbs,
            @Nullable JsonPointer scope,
            Duration timeout,
            boolean idempotent,
            int maxResultBytes,
            @Nullable String gate,
            ErrorStyle errorStyle,
            boolean extension) {
        this(
                name,
                title,
                description,
                inputSchema,
                outputSchema,
                verbs,
                scope,
                timeout,
                idempotent,
                maxResultBytes,
                gate,
                errorStyle,
                extension,
                null,
                null);
    }

    /** The same tool with another description and input schema. */
    ToolDescriptor withTexts(String otherDescription, ObjectNode otherInputSchema) {
        return new ToolDescriptor(
                name,
                title,
                otherDescription,
                otherInputSchema,
                outputSchema,
                verbs,
                scope,
                timeout,
                idempotent,
                maxResultBytes,
                gate,
                errorStyle,
                extension,
                results,
                original == null ? null : retold(original, otherDescription, otherInputSchema));
    }

    private static ObjectNode retold(ObjectNode entry, String description, ObjectNode inputSchema) {
        ObjectNode retold = entry.deepCopy();
        retold.put("description", description);
        retold.set("inputSchema", inputSchema);
        return retold;
    }

    /** {@code arguments} without those that the gateway handles. */
    public Arguments own(Arguments arguments) {
        return results == null ? arguments : arguments.without(AnswerArguments.NAMES);
    }

    /** Whether it is a tool of another server. */
    public boolean relayed() {
        return original != null;
    }

    /** The resources that {@code arguments} name. */
    public List<String> resources(Arguments arguments) {
        List<String> names = new ArrayList<>();
        scopePointer().flatMap(arguments::at).ifPresent(value -> {
            if (value.isArray()) {
                value.forEach(element -> names.add(element.asText()));
            } else {
                names.add(value.asText());
            }
        });
        return names;
    }

    /** {@link #scope()} as an optional. */
    public Optional<JsonPointer> scopePointer() {
        return Optional.ofNullable(scope);
    }

    /** Whether the tool changes nothing; MCP's {@code readOnlyHint}. */
    public boolean readOnly() {
        return verbs.stream().allMatch(Verb::readOnly);
    }

    /** Whether the tool can destroy data; MCP's {@code destructiveHint}. */
    public boolean destructive() {
        return verbs.contains(Verb.DELETE) || verbs.contains(Verb.UPDATE);
    }

    /** Whether the tool uses things outside the gateway; MCP's {@code openWorldHint}. */
    public boolean openWorld() {
        return verbs.contains(Verb.FETCH) || verbs.contains(Verb.LLM);
    }
}
