package switchboard.catalog;

import com.fasterxml.jackson.core.JsonPointer;
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
 * One tool as its {@code backends/<type>/tools.json} declares it; the only place where that is said.
 *
 * @param name the seed's name, 1 to 64 of {@code [A-Za-z0-9_-]}
 * @param title a short name for people
 * @param description what an agent reads to choose the tool
 * @param inputSchema JSON Schema 2020-12, an object without unknown properties; must not be changed
 * @param outputSchema JSON Schema of {@code structuredContent}, open, or null when the tool answers with blocks only
 * @param verbs what it does; never empty
 * @param scope where the arguments name the resource (a string, or an array of strings), or null when they don't
 * @param timeout how long a call may take at most
 * @param idempotent whether a repeated call with the same arguments changes nothing more
 * @param maxResultBytes the largest result passed on
 * @param gate the configuration switch of the backend that must be on for the tool to exist, or null
 * @param errorStyle how a failure is written down
 * @param extension whether the original server lacks it: then the view that stands for that server does, too
 * @param results the array of {@code structuredContent} that lists what was found, best first, so that an answer can be
 *     cut there; or null. Such a tool takes {@link AnswerArguments}
 * @param original the entry in another server's list that this tool is, passed on as it came except for its name; or
 *     null for a tool of the gateway's own; must not be changed
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
        @Nullable String results,
        @Nullable ObjectNode original) {
    /** How a failure is written in the first content block. */
    public enum ErrorStyle {
        /** A sentence. */
        SENTENCE,
        /** The JSON object {@code {"status":"error","error":"a sentence"}}, as mcpvectordb documents it. */
        STATUS
    }

    public ToolDescriptor {
        verbs = Set.copyOf(verbs);
    }

    /** A tool of the gateway's own. */
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

    /** The same tool described and bounded otherwise. */
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

    /** {@code arguments} as the tool's backend takes them. */
    public Arguments own(Arguments arguments) {
        return results == null ? arguments : arguments.without(AnswerArguments.NAMES);
    }

    /** Whether another server has the tool, and the gateway passes calls on. */
    public boolean relayed() {
        return original != null;
    }

    /** The resources that {@code arguments} name: one, several, or none. */
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

    /** Whether the tool leaves the world as it was; MCP's {@code readOnlyHint}. */
    public boolean readOnly() {
        return verbs.stream().allMatch(Verb::readOnly);
    }

    /** Whether the tool can lose something; MCP's {@code destructiveHint}. */
    public boolean destructive() {
        return verbs.contains(Verb.DELETE) || verbs.contains(Verb.UPDATE);
    }

    /** Whether the tool reaches beyond what the gateway holds; MCP's {@code openWorldHint}. */
    public boolean openWorld() {
        return verbs.contains(Verb.FETCH) || verbs.contains(Verb.LLM);
    }
}
