package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedSet;
import switchboard.backend.opensearch.FoundHits.EngineHit;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** Searches an index by keywords, by vector, or both, whose ranks are then fused. */
record IndexSearcher(OpenSearchApi api, Mappings mappings, QueryVectors vectors) {
    /** How many hits of each search are fused at least. */
    private static final int FUSED = 50;

    private static final int MOST_HIGHLIGHTED = 50;

    /**
     * A search that has been prepared.
     *
     * @param bodies its requests, with the filters of its own and of the team
     * @param mapping the fields of the index
     * @param choice the vector, if there is one
     */
    private record PreparedQuery(
            IndexQuery query, SearchBodies bodies, IndexMapping mapping, QueryVectors.Choice choice) {}

    /**
     * The hits of {@code query}. Fails with {@code INVALID_ARGUMENT} if it can't be searched so, with {@code DENIED} if the
     * team's filter can't be made.
     */
    Future<FoundHits> search(IndexQuery query, CallContext context) {
        Optional<ObjectNode> team = TeamFilter.of(context.caller());
        return mappings.of(query.index(), context).compose(mapping -> {
            List<ObjectNode> filters = new ArrayList<>(new FieldFilter(mapping).of(query.conditions()));
            team.ifPresent(filters::add);
            return vectors.of(query, mapping, context)
                    .compose(choice ->
                            run(new PreparedQuery(query, new SearchBodies(filters), mapping, choice), context));
        });
    }

    private Future<FoundHits> run(PreparedQuery prepared, CallContext context) {
        Optional<SearchVector> vector = prepared.choice().vector();
        if (vector.isEmpty()) {
            return byKeywords(prepared, prepared.query().page(), context).map(answer -> found(prepared, answer));
        }
        boolean both =
                prepared.query().hasText() && prepared.query().mode().orElse(SearchMode.HYBRID) == SearchMode.HYBRID;
        return both ? hybrid(prepared, vector.get(), context) : byVector(prepared, vector.get(), context);
    }

    private Future<FoundHits> byVector(PreparedQuery prepared, SearchVector vector, CallContext context) {
        IndexQuery.Page page = prepared.query().page();
        return vectorAnswer(prepared, vector, page.end(), context)
                .map(answer -> new FoundHits(
                        hits(answer, vector).stream().skip(page.offset()).toList(),
                        SearchMode.VECTOR,
                        Optional.of(vector),
                        Optional.empty(),
                        FoundHits.notes(answer)));
    }

    /** If the engine can't search by vector here, the keywords alone are better than nothing. */
    private Future<FoundHits> hybrid(PreparedQuery prepared, SearchVector vector, CallContext context) {
        IndexQuery.Page page = prepared.query().page();
        int count = Math.max(FUSED, page.end());
        Future<JsonNode> keywords = byKeywords(prepared, new IndexQuery.Page(0, count), context);
        Future<JsonNode> near = vectorAnswer(prepared, vector, count, context);
        return Future.join(keywords, near)
                .map(_ -> {
                    List<EngineHit> fused =
                            RankFusion.of(List.of(hits(keywords.result()), hits(near.result(), vector)));
                    SequencedSet<String> notes = new LinkedHashSet<>(FoundHits.notes(keywords.result()));
                    notes.addAll(FoundHits.notes(near.result()));
                    return new FoundHits(
                            fused.stream()
                                    .skip(page.offset())
                                    .limit(page.limit())
                                    .toList(),
                            SearchMode.HYBRID,
                            Optional.of(vector),
                            Optional.empty(),
                            List.copyOf(notes));
                })
                .recover(
                        thrown -> near.failed() && keywords.succeeded() && near.cause() instanceof ToolException failure
                                ? byKeywords(prepared, page, context).map(answer -> found(prepared, answer)
                                        .noting("The search by vector failed, so these hits are by keywords only: "
                                                + failure.failed().message()))
                                : Future.failedFuture(thrown));
    }

    private Future<JsonNode> byKeywords(PreparedQuery prepared, IndexQuery.Page page, CallContext context) {
        IndexQuery query = prepared.query();
        ObjectNode body = prepared.bodies()
                .byKeywords(query.text(), query.options().searched())
                .put("from", page.offset())
                .put("size", page.limit());
        if (!query.options().sort().isEmpty()) {
            ArrayNode sort = body.putArray("sort");
            FieldFilter fields = new FieldFilter(prepared.mapping());
            query.options().sort().forEach(order -> sort.addObject()
                    .put(fields.sorted(order.field()), order.direction()));
        }
        if (query.options().highlight() && query.hasText()) {
            ObjectNode fields = body.putObject("highlight")
                    .put("require_field_match", false)
                    .putObject("fields");
            prepared.mapping().fullTexts().stream().limit(MOST_HIGHLIGHTED).forEach(fields::putObject);
        }
        return api.search(query.index(), shown(body, prepared), context);
    }

    private Future<JsonNode> vectorAnswer(PreparedQuery prepared, SearchVector vector, int count, CallContext context) {
        ObjectNode body = prepared.bodies().byVector(vector.field(), vector.numbers(), count);
        return api.search(prepared.query().index(), shown(body, prepared), context);
    }

    private static ObjectNode shown(ObjectNode body, PreparedQuery prepared) {
        ObjectNode source = body.putObject("_source");
        List<String> fields = prepared.query().options().shown();
        if (!fields.isEmpty()) {
            fields.forEach(source.putArray("includes")::add);
        }
        ArrayNode hidden = Json.array();
        Optional<MappedField> searched = prepared.choice().vector().map(SearchVector::field);
        for (MappedField vector : prepared.mapping().vectors()) {
            if (!prepared.query().options().vectors() || !searched.equals(Optional.of(vector))) {
                hidden.add(vector.name());
            }
        }
        source.set("excludes", hidden);
        return body;
    }

    private static FoundHits found(PreparedQuery prepared, JsonNode answer) {
        List<String> notes = FoundHits.notes(answer);
        prepared.choice().note().ifPresent(notes::add);
        return new FoundHits(
                hits(answer),
                SearchMode.KEYWORD,
                Optional.empty(),
                Optional.of(FoundHits.Total.of(answer)),
                List.copyOf(notes));
    }

    private static List<EngineHit> hits(JsonNode answer) {
        List<EngineHit> hits = new ArrayList<>();
        answer.path("hits").path("hits").forEach(hit -> hits.add(EngineHit.of(hit, OptionalDouble.empty())));
        return hits;
    }

    /** The hits of a search by {@code vector}. */
    private static List<EngineHit> hits(JsonNode answer, SearchVector vector) {
        List<EngineHit> hits = new ArrayList<>();
        answer.path("hits")
                .path("hits")
                .forEach(hit -> hits.add(EngineHit.of(hit, vector.field().cosine(hit.path("_score")))));
        return hits;
    }
}
