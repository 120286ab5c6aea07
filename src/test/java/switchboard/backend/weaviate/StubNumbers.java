package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** Answers GraphQL that asks of several collections, each under an alias, how many objects it has or which is newest. */
final class StubNumbers {
    private static final Pattern DOCUMENT = Pattern.compile(
            "(?:query\\(\\$t:String\\))?\\{(Aggregate|Get)\\{((?:c\\d+:[A-Z]\\w*(?:\\([^()]*\\))?\\{.*?\\}\\} ?)+)\\}\\}");
    private static final Pattern COLLECTION = Pattern.compile(
            "(c\\d+):([A-Z]\\w*)(?:\\(([^()]*)\\))?\\{(meta\\{count|_additional\\{lastUpdateTimeUnix)\\}\\}");
    private static final String NEWEST = "limit:1,sort:[{path:[\"_lastUpdateTimeUnix\"],order:desc}]";

    private StubNumbers() {}

    /** The answer, or empty if {@code request} asks for something else. */
    static Optional<ObjectNode> answer(StubData data, JsonNode request) {
        Matcher document = DOCUMENT.matcher(request.path("query").asText());
        if (!document.matches()) {
            return Optional.empty();
        }
        ObjectNode answer = Json.object();
        ObjectNode found = answer.putObject("data").putObject(document.group(1));
        Matcher collection = COLLECTION.matcher(document.group(2));
        while (collection.find()) {
            String arguments = collection.group(3) == null ? "" : collection.group(3);
            String tenant = arguments.contains("tenant:$t")
                    ? request.path("variables").path("t").asText()
                    : null;
            Optional<String> barrier = data.barrier(collection.group(2), tenant);
            if (barrier.isPresent()) {
                found.putNull(collection.group(1));
                answer.withArray("errors").addObject().put("message", barrier.get());
            } else if (document.group(1).equals("Aggregate") && !arguments.contains("sort")) {
                found.putArray(collection.group(1))
                        .addObject()
                        .putObject("meta")
                        .put(
                                "count",
                                objects(data, collection.group(2), tenant, arguments)
                                        .size());
            } else if (arguments.startsWith(NEWEST)) {
                newest(objects(data, collection.group(2), tenant, arguments), found.putArray(collection.group(1)));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(answer);
    }

    /** The objects that the arguments are about: all, or those that match their filter. */
    private static List<ObjectNode> objects(
            StubData data, String collection, @Nullable String tenant, String arguments) {
        int where = arguments.indexOf("where:");
        Predicate<JsonNode> filter = where < 0
                ? _ -> true
                : StubFilter.of(
                        GraphQlDocument.read(
                                        Json.object().put("query", "{Get{C(" + arguments.substring(where) + "){id}}}"))
                                .arguments()
                                .path("where"),
                        data.wholeTexts(collection));
        return data.objects(collection, tenant).values().stream().filter(filter).toList();
    }

    private static void newest(List<ObjectNode> objects, ArrayNode rows) {
        objects.stream()
                .mapToLong(object -> object.path("lastUpdateTimeUnix").asLong())
                .max()
                .ifPresent(time ->
                        rows.addObject().putObject("_additional").put("lastUpdateTimeUnix", Long.toString(time)));
    }
}
