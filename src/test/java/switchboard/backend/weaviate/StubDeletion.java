package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.call.Json;

/** Deletes objects in batches as Weaviate does, and refuses what it refuses. */
final class StubDeletion {
    private final StubData data;

    StubDeletion(StubData data) {
        this.data = data;
    }

    /** The answer to {@code DELETE /v1/batch/objects}. */
    StubAnswer answer(JsonNode body, Map<String, String> query, int maximumResults) {
        JsonNode match = body.path("match");
        String name = match.path("class").asText();
        Optional<StubAnswer> wrong = form(body, query).or(() -> collection(match, name, query));
        if (wrong.isPresent()) {
            return wrong.get();
        }
        Map<String, ObjectNode> objects = data.objects(name, query.get("tenant"));
        List<String> ids = objects.values().stream()
                .filter(StubFilter.of(match.path("where"), data.wholeTexts(name)))
                .map(object -> object.path("id").asText())
                .toList();
        String output = body.path("output").asText("minimal");
        if (!List.of("minimal", "verbose").contains(output)) {
            return StubAnswer.refused(
                    500, "validate: invalid output: \"" + output + "\", possible values are: \"minimal\", \"verbose\"");
        }
        boolean dry = body.path("dryRun").asBoolean();
        boolean verbose = output.equals("verbose");
        List<String> chosen = ids.subList(0, Math.min(ids.size(), maximumResults));
        if (!dry) {
            chosen.forEach(objects::remove);
        }
        ObjectNode answer =
                Json.object().put("deletionTimeUnixMilli", -62135596800000L).put("dryRun", dry);
        answer.set("match", match);
        answer.put("output", verbose ? "verbose" : "minimal");
        ObjectNode results = answer.putObject("results")
                .put("failed", 0)
                .put("limit", maximumResults)
                .put("matches", ids.size())
                .put("successful", dry ? 0 : chosen.size());
        results.set(
                "objects",
                verbose
                        ? each(chosen, dry ? "DRYRUN" : "SUCCESS")
                        : Json.mapper().nullNode());
        return StubAnswer.json(200, answer);
    }

    private static ArrayNode each(List<String> ids, String status) {
        ArrayNode list = Json.array();
        ids.forEach(id -> list.addObject().put("id", id).put("status", status));
        return list;
    }

    private static Optional<StubAnswer> form(JsonNode body, Map<String, String> query) {
        if (!body.isObject()) {
            return Optional.of(StubAnswer.malformed(422, 602, "body in body is required"));
        }
        JsonNode where = body.path("match").path("where");
        Optional<StubAnswer> unparsed = StubFilterRules.json(where);
        if (unparsed.isPresent()) {
            return unparsed;
        }
        Optional<StubAnswer> level = consistency(query);
        if (level.isPresent()) {
            return level;
        }
        String missing = !body.has("match")
                ? "match clause"
                : body.path("match").path("class").asText().isEmpty()
                        ? "match.class clause"
                        : where.isObject() ? "" : "match.where clause";
        return missing.isEmpty() ? Optional.empty() : Optional.of(StubAnswer.refused("validate: empty " + missing));
    }

    /** Why the consistency level is refused, if it is. */
    static Optional<StubAnswer> consistency(Map<String, String> query) {
        String level = query.getOrDefault("consistency_level", "QUORUM");
        return List.of("ONE", "QUORUM", "ALL").contains(level)
                ? Optional.empty()
                : Optional.of(StubAnswer.refused(
                        400,
                        "unrecognized consistency level '" + level
                                + "', try one of the following: ['ONE', 'QUORUM', 'ALL']"));
    }

    private Optional<StubAnswer> collection(JsonNode match, String name, Map<String, String> query) {
        Optional<ObjectNode> definition = data.definition(name);
        if (definition.isEmpty()) {
            return Optional.of(StubAnswer.refused("validate: failed to get class: " + name));
        }
        JsonNode where = match.path("where");
        Optional<StubAnswer> invalid = StubFilterRules.form(where)
                .map(message -> "failed to parse where filter: " + message)
                .or(() -> StubFilterRules.types(where, definition.get())
                        .map(message -> "invalid where filter: " + message))
                .map(message -> StubAnswer.refused("validate: " + message));
        if (invalid.isPresent()) {
            return invalid;
        }
        String find = "batch delete objects: cannot find objects: ";
        return data.barrier(name, query.get("tenant"))
                .map(barrier -> StubAnswer.refused(find + barrier))
                .or(() -> StubFilterRules.search(where, definition.get())
                        .map(message -> StubAnswer.refused(
                                500, find + "find matching doc ids in shard \"tDYszFBHPld2\": docIds: " + message)));
    }
}
