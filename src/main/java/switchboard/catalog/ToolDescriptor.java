package switchboard.catalog;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import switchboard.call.Arguments;
import switchboard.call.Verb;

/**
 * A tool as declared in {@code backends/<type>/tools.json}, the only declaration of a tool.
 *
 * @param name its name at the backend, 1 to 64 of {@code [A-Za-z0-9_-]}
 * @param texts title and description
 * @param schemas the schemas of arguments and answer
 * @param effects what it does, and on what
 * @param limits the limits of a call
 * @param availability where it is offered
 * @param answer the format of its answers
 * @param original the entry in another server's list, passed on unchanged except for its name and the URI of its
 *     page; null for a tool of the gateway; must not be changed
 */
public record ToolDescriptor(
        String name,
        Texts texts,
        Schemas schemas,
        Effects effects,
        Limits limits,
        Availability availability,
        AnswerFormat answer,
        @Nullable ObjectNode original) {
    /**
     * Texts of a tool.
     *
     * @param title a short name for people
     * @param description the description for agents
     * @param task what an agent wants to do that should use it, for the instructions of a view; null for most tools
     * @param examples tasks in plain words that it is the right tool for, so that {@code find_tools} finds it; they are
     *     not listed
     */
    public record Texts(
            String title, String description, @Nullable String task, List<String> examples) {
        public Texts {
            examples = List.copyOf(examples);
        }

        /** Texts of a tool that the instructions do not name, and without examples. */
        public Texts(String title, String description) {
            this(title, description, null, List.of());
        }
    }

    /**
     * JSON Schemas (2020-12) of a tool; must not be changed.
     *
     * @param input the arguments: an object without unknown properties
     * @param output {@code structuredContent}, open, or null if the tool answers with blocks only
     */
    public record Schemas(ObjectNode input, @Nullable ObjectNode output) {}

    /**
     * The effects of a tool.
     *
     * @param verbs its verbs; never empty
     * @param scope where the arguments name the resource (a string, or an array of strings), or null if they don't
     * @param idempotent whether repeating a call with the same arguments changes nothing more
     * @param perBackend whether who has the verbs on any backend of the view may use it, not only who has them on the tool's
     *     own; the tool decides for each backend that its arguments name
     */
    public record Effects(Set<Verb> verbs, @Nullable JsonPointer scope, boolean idempotent, boolean perBackend) {
        public Effects {
            verbs = Set.copyOf(verbs);
        }

        /** Effects of a tool that needs its verbs on its own backend. */
        public Effects(Set<Verb> verbs, @Nullable JsonPointer scope, boolean idempotent) {
            this(verbs, scope, idempotent, false);
        }
    }

    /**
     * Limits of a call.
     *
     * @param timeout its time limit
     * @param maxResultBytes maximum size of its result
     * @param longRunning whether it may take so long that clients which know tasks get one, with a time limit of its own
     */
    public record Limits(Duration timeout, int maxResultBytes, boolean longRunning) {
        /** Limits of a tool that is answered with its result. */
        public Limits(Duration timeout, int maxResultBytes) {
            this(timeout, maxResultBytes, false);
        }
    }

    /**
     * The conditions under which a tool is offered.
     *
     * @param gate the setting of the backend that switches the tool on, or null
     * @param extension whether the original server lacks it; then the view for that server lacks it, too
     * @param core whether the view {@value ToolCatalog#CORE} lists it
     */
    public record Availability(@Nullable String gate, boolean extension, boolean core) {
        /** Everywhere, but not listed by the view {@value ToolCatalog#CORE}. */
        public static final Availability ALWAYS = new Availability(null, false, false);
    }

    /**
     * The format of answers.
     *
     * @param errorStyle the format of failures
     * @param results the ranked results, where an answer can be cut, or null. Such a tool accepts
     *     {@link AnswerArguments}
     * @param signals whether answers with texts of documents have marks; a view may do without
     */
    public record AnswerFormat(
            ErrorStyle errorStyle, @Nullable RankedResults results, boolean signals) {
        /** Failures are sentences; answers are not cut. */
        public static final AnswerFormat PLAIN = new AnswerFormat(ErrorStyle.SENTENCE, null);

        /** A format with marks. */
        public AnswerFormat(ErrorStyle errorStyle, @Nullable RankedResults results) {
            this(errorStyle, results, true);
        }
    }

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

    /** The same tool with another description and input schema. */
    ToolDescriptor withTexts(String description, ObjectNode inputSchema) {
        return new ToolDescriptor(
                name,
                new Texts(texts.title(), description, texts.task(), texts.examples()),
                new Schemas(inputSchema, schemas.output()),
                effects,
                limits,
                availability,
                answer,
                original == null ? null : retold(original, description, inputSchema));
    }

    /** The same tool whose answers have no marks of what is in the texts. */
    ToolDescriptor withoutSignals() {
        return new ToolDescriptor(
                name,
                texts,
                schemas,
                effects,
                limits,
                availability,
                new AnswerFormat(answer.errorStyle(), answer.results(), false),
                original);
    }

    private static ObjectNode retold(ObjectNode entry, String description, ObjectNode inputSchema) {
        ObjectNode retold = entry.deepCopy();
        retold.put("description", description);
        retold.set("inputSchema", inputSchema);
        return retold;
    }

    /** The URIs of the page that shows its results (MCP Apps), of another server's tool; one, as a rule. */
    List<String> uiResources() {
        return original == null ? List.of() : UiResource.of(original);
    }

    /** The same tool whose page has another URI. */
    ToolDescriptor withUiResources(UnaryOperator<String> shown) {
        if (uiResources().isEmpty() || original == null) {
            return this;
        }
        ObjectNode changed = original.deepCopy();
        UiResource.replace(changed, shown);
        return new ToolDescriptor(name, texts, schemas, effects, limits, availability, answer, changed);
    }

    /** {@code arguments} without those that the gateway handles. */
    public Arguments own(Arguments arguments) {
        return results() == null ? arguments : arguments.without(AnswerArguments.NAMES);
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

    /** {@link Effects#scope()} as an optional. */
    public Optional<JsonPointer> scopePointer() {
        return Optional.ofNullable(effects.scope());
    }

    /** Whether the tool changes nothing; MCP's {@code readOnlyHint}. */
    public boolean readOnly() {
        for (Verb verb : verbs()) {
            if (!verb.readOnly()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the tool can destroy data; MCP's {@code destructiveHint}. */
    public boolean destructive() {
        return verbs().contains(Verb.DELETE) || verbs().contains(Verb.UPDATE);
    }

    /** Whether the tool uses things outside the gateway; MCP's {@code openWorldHint}. */
    public boolean openWorld() {
        return verbs().contains(Verb.FETCH) || verbs().contains(Verb.LLM);
    }

    /** {@link Texts#title()}. */
    public String title() {
        return texts.title();
    }

    /** {@link Texts#description()}. */
    public String description() {
        return texts.description();
    }

    /** {@link Schemas#input()}. */
    public ObjectNode inputSchema() {
        return schemas.input();
    }

    /** {@link Schemas#output()}. */
    public @Nullable ObjectNode outputSchema() {
        return schemas.output();
    }

    /** {@link Effects#verbs()}. */
    public Set<Verb> verbs() {
        return effects.verbs();
    }

    /** {@link AnswerFormat#results()}. */
    public @Nullable RankedResults results() {
        return answer.results();
    }
}
