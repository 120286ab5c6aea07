package switchboard.backend.agentroot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import switchboard.backend.agentroot.source.CollectionOrigin;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.store.AllowedReaders;
import switchboard.text.SurrogatePairs;

/**
 * The definition of a collection.
 *
 * @param name its name
 * @param provider the name of its provider
 * @param origin where its documents come from
 * @param allow who may see it
 */
record CollectionDefinition(String name, String provider, CollectionOrigin origin, AllowedReaders allow) {
    private static final int MAX_NAME = 100;

    /**
     * The name of a new collection. Names are parts of paths and URIs, so they must be unambiguous there.
     *
     * @throws ToolException if no collection may be called so
     */
    static String checked(String name) {
        boolean plain = !name.isBlank()
                && name.codePointCount(0, name.length()) <= MAX_NAME
                && SurrogatePairs.wellFormed(name)
                && name.equals(name.strip())
                && "#.~".indexOf(name.charAt(0)) < 0
                && name.chars().noneMatch(c -> c < ' ' || c == 0x7F || "/\\*?[]{},:".indexOf(c) >= 0);
        if (!plain) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "A collection's name has 1 to " + MAX_NAME
                            + " characters, begins with none of # . ~ and contains none of / \\ * ? [ ] { } , :"
                            + " and no half of a character");
        }
        return name;
    }

    /** The same for other readers. */
    CollectionDefinition forReaders(AllowedReaders others) {
        return new CollectionDefinition(name, provider, origin, others);
    }

    /** A collection as agents see it; options may hold credentials and stay here. */
    ObjectNode described() {
        ObjectNode described = Json.object()
                .put("name", name)
                .put("path", origin.path())
                .put("pattern", origin.pattern())
                .put("provider", provider);
        Object readers = allow.shown();
        if (readers != null) {
            described.set("allow", Json.mapper().valueToTree(readers));
        }
        return described;
    }

    /** This definition without who may see it, as the text of a JSON object, which the store keeps. */
    String text() {
        ObjectNode json = Json.object()
                .put("name", name)
                .put("provider", provider)
                .put("path", origin.path())
                .put("pattern", origin.pattern());
        ObjectNode options = json.putObject("options");
        new TreeMap<>(origin.options()).forEach(options::put);
        return Json.text(json);
    }

    /** Reads what {@link #text} has written. */
    static CollectionDefinition of(String text, AllowedReaders allow) {
        try {
            JsonNode json = Json.parse(text);
            Map<String, String> options = new LinkedHashMap<>();
            json.path("options")
                    .properties()
                    .forEach(entry ->
                            options.put(entry.getKey(), entry.getValue().asText()));
            return new CollectionDefinition(
                    json.path("name").asText(),
                    json.path("provider").asText(),
                    new CollectionOrigin(
                            json.path("path").asText(), json.path("pattern").asText(), options),
                    allow);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a collection's definition is not the JSON that was written", e);
        }
    }
}
