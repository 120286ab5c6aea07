package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Function;
import switchboard.backend.opensearch.FoundHits.EngineHit;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/**
 * One search whose index is known.
 *
 * @param mapping the fields of the index
 * @param bodies makes its requests, with the filters of its own and of the team
 */
record PreparedSearch(
        OpenSearchApi api, IndexQuery query, IndexMapping mapping, SearchBodies bodies, CallContext context) {
    private static final int MOST_HIGHLIGHTED = 50;
    private static final String HIGHLIGHT = "highlight";

    /** The page of a search by keywords. */
    Future<FoundHits> byKeywords(List<String> why) {
        SearchText text = SearchText.of(query, mapping);
        ObjectNode body = bodies.byKeywords(text.words(), text.fields())
                .put("from", query.page().offset())
                .put("size", query.page().limit());
        sort(body);
        show(body, Optional.empty());
        Optional<ObjectNode> highlights = highlights();
        highlights.ifPresent(wanted -> body.set(HIGHLIGHT, wanted));
        Function<JsonNode, FoundHits> found =
                answer -> FoundHits.byKeywords(answer, why).noting(text.notes());
        return api.search(query.index(), body, context)
                .map(found)
                .recover(thrown -> highlights.isPresent() && refused(thrown)
                        ? api.search(query.index(), body.without(HIGHLIGHT), context)
                                .map(found)
                                .map(hits -> hits.noting(List.of("The engine could not highlight these hits.")))
                        : Future.failedFuture(thrown));
    }

    /** The page of a search by vector; by keywords if that fails and another mode will do. */
    Future<FoundHits> byVector(SearchVector vector) {
        return near(vector, query.page().end())
                .compose(answer ->
                        page(FoundHits.hits(answer, vector), SearchMode.VECTOR, vector, FoundHits.notes(answer)))
                .recover(thrown -> thrown instanceof ToolException failure && query.hasText() && !query.required()
                        ? withoutVector(failure)
                        : Future.failedFuture(thrown));
    }

    /** The page of both, fused by rank. If one of them fails, the other alone is better than nothing. */
    Future<FoundHits> hybrid(SearchVector vector) {
        SearchText text = SearchText.of(query, mapping);
        ObjectNode body = bodies.byKeywords(text.words(), text.fields())
                .put("size", IndexSearcher.FUSED)
                .put("_source", false);
        Future<JsonNode> keywords = api.search(query.index(), body, context);
        Future<JsonNode> near = near(vector, IndexSearcher.FUSED);
        return Future.join(keywords, near).transform(_ -> {
            if (near.failed()) {
                return near.cause() instanceof ToolException failure && keywords.succeeded()
                        ? withoutVector(failure)
                        : Future.failedFuture(keywords.failed() ? keywords.cause() : near.cause());
            }
            List<EngineHit> byVector = FoundHits.hits(near.result(), vector);
            SequencedSet<String> notes = new LinkedHashSet<>(text.notes());
            notes.addAll(FoundHits.notes(near.result()));
            if (keywords.failed()) {
                if (!(keywords.cause() instanceof ToolException failure)) {
                    return Future.failedFuture(keywords.cause());
                }
                notes.add("The search by keywords failed, so these hits are by vector only: "
                        + failure.failed().message());
                return page(byVector, SearchMode.VECTOR, vector, List.copyOf(notes));
            }
            notes.addAll(FoundHits.notes(keywords.result()));
            return page(
                    ReciprocalRankFusion.of(List.of(FoundHits.hits(keywords.result()), byVector)),
                    SearchMode.HYBRID,
                    vector,
                    List.copyOf(notes));
        });
    }

    private Future<FoundHits> withoutVector(ToolException failure) {
        return byKeywords(List.of("The search by vector failed, so these hits are by keywords only: "
                + failure.failed().message()));
    }

    private Future<JsonNode> near(SearchVector vector, int count) {
        ObjectNode body =
                bodies.byVector(vector.field(), vector.numbers(), count).put("_source", false);
        return api.search(query.index(), body, context);
    }

    /** The wanted hits of {@code ranked}, with their fields. */
    private Future<FoundHits> page(List<EngineHit> ranked, SearchMode mode, SearchVector vector, List<String> notes) {
        List<EngineHit> page = ranked.stream()
                .skip(query.page().offset())
                .limit(query.page().limit())
                .toList();
        return withFields(page, vector)
                .map(hits -> new FoundHits(hits, mode, Optional.of(vector), Optional.empty(), notes));
    }

    /** Hits that have gone meanwhile are left out. */
    private Future<List<EngineHit>> withFields(List<EngineHit> page, SearchVector vector) {
        if (page.isEmpty()) {
            return Future.succeededFuture(page);
        }
        ObjectNode body = bodies.byIds(page.stream().map(EngineHit::id).toList());
        show(body, Optional.of(vector.field()).filter(_ -> query.options().vectors()));
        return api.search(query.index(), body, context).map(answer -> {
            Map<List<String>, EngineHit> found = new HashMap<>();
            FoundHits.hits(answer).forEach(hit -> found.put(hit.place(), hit));
            List<EngineHit> complete = new ArrayList<>();
            for (EngineHit hit : page) {
                Optional.ofNullable(found.get(hit.place())).map(hit::showing).ifPresent(complete::add);
            }
            return complete;
        });
    }

    private void sort(ObjectNode body) {
        if (query.options().sort().isEmpty()) {
            return;
        }
        FieldFilter fields = new FieldFilter(mapping);
        ArrayNode sort = body.putArray("sort");
        query.options().sort().forEach(order -> sort.add(fields.sorted(order)));
    }

    private Optional<ObjectNode> highlights() {
        if (!query.options().highlight() || !query.hasText()) {
            return Optional.empty();
        }
        ObjectNode highlight = Json.object().put("require_field_match", false);
        ObjectNode fields = highlight.putObject("fields");
        mapping.fullTexts().stream().limit(MOST_HIGHLIGHTED).forEach(fields::putObject);
        return Optional.of(highlight);
    }

    /** Vectors are long, and mean nothing to a reader. */
    private void show(ObjectNode body, Optional<MappedField> vector) {
        ObjectNode source = body.putObject("_source");
        if (!query.options().shown().isEmpty()) {
            query.options().shown().forEach(source.putArray("includes")::add);
        }
        ArrayNode hidden = source.putArray("excludes");
        mapping.vectorPaths().stream()
                .filter(path ->
                        vector.filter(field -> field.name().equals(path)).isEmpty())
                .forEach(hidden::add);
    }

    private static boolean refused(Throwable thrown) {
        return thrown instanceof ToolException failure && failure.failed().kind() == FailureKind.INVALID_ARGUMENT;
    }
}
