package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Reads a document, by a search: only a search is bound by the team's filter, and knows what an alias stands for. */
record VisibleDocument(OpenSearchApi api, Mappings mappings) {
    /** The fields of the document without vectors; fails in the same way whether it is hidden or does not exist. */
    Future<ObjectNode> of(String index, String id, CallContext context) {
        Optional<ObjectNode> team = TeamFilter.of(context.caller());
        return mappings.of(index, context).compose(mapping -> {
            ObjectNode body = new SearchBodies(team.stream().toList()).byId(id);
            ArrayNode hidden = body.putObject("_source").putArray("excludes");
            mapping.vectorPaths().forEach(hidden::add);
            return api.search(index, body, context)
                    .map(answer -> only(answer, index, id))
                    .recover(thrown -> new TeamFilterCheck(api).explained(thrown, index, team, context));
        });
    }

    private static ObjectNode only(JsonNode answer, String index, String id) {
        JsonNode hits = answer.path("hits").path("hits");
        List<String> notes = FoundHits.notes(answer);
        if (hits.isEmpty() && !notes.isEmpty()) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE, "A part of \"" + index + "\" could not be read. Try again in a moment.");
        }
        if (hits.isEmpty()) {
            throw new ToolException(FailureKind.NOT_FOUND, "There is no document \"" + id + "\" in \"" + index + "\".");
        }
        if (hits.size() > 1) {
            throw new ToolException(
                    FailureKind.CONFLICT,
                    "\"" + index + "\" has several documents with the id \"" + id
                            + "\", as an alias of several indices can. Read it in its own index: a hit names it, if you may"
                            + " use it.");
        }
        if (hits.path(0).path("_source") instanceof ObjectNode source) {
            return source;
        }
        throw new ToolException(
                FailureKind.NOT_FOUND,
                "The index \"" + index + "\" does not keep its documents, only what is searched.");
    }
}
