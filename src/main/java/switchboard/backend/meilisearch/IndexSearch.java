package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import switchboard.backend.FieldGuesser;
import switchboard.backend.QueryEmbedding;
import switchboard.backend.SearchProvider;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.FilterTimestamp;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.call.UnknownFields;
import switchboard.embed.SourceEmbedders;

/** Makes indexes searchable together with sources of other backends; hybrid if the index has an embedder. */
record IndexSearch(
        MeilisearchApi meilisearchApi,
        VisibleIndexes directory,
        DocumentCounts counts,
        HybridQueryVectors vectors,
        SourceEmbedders models)
        implements SearchProvider {
    private static final int MOST_INDEXES = 200;
    private static final double SEMANTIC_RATIO = 0.5;

    @Override
    public Future<BackendReply.Sources> sources(BackendRequest.ListSources request, CallContext context) {
        TeamFilters teamFilters = TeamFilters.of(context.caller());
        return directory.page(MOST_INDEXES, 0, teamFilters, context).compose(page -> counts.of(
                        page.uids(), teamFilters, context)
                .compose(counted -> Future.join(page.indexes().stream()
                                .map(index -> source(index, counted, context))
                                .toList())
                        .map(all -> new BackendReply.Sources(all.list()))));
    }

    @Override
    public Future<BackendReply.Passages> search(BackendRequest.SearchSource request, CallContext context) {
        TeamFilters teamFilters = TeamFilters.of(context.caller());
        String uid = request.source();
        VisibleIndexes.check(uid, teamFilters);
        SourceQuery query = request.query();
        return Future.join(meilisearchApi.index(uid, context), settings(uid, context))
                .compose(known -> {
                    JsonNode index = known.resultAt(0);
                    FilterableAttributes.of(known.resultAt(1)).ifPresent(fields -> fields.check(query.conditions()));
                    String semantic = semantic(known.resultAt(1));
                    SearchTool.Args args = args(uid, query, semantic);
                    return vectors.of(args, context).compose(vector -> {
                        ObjectNode body = SearchBody.of(args, vector.vector(), teamFilters.filter());
                        body.put("retrieveVectors", semantic != null);
                        return meilisearchApi
                                .search(uid, body, teamFilters.rules(), context)
                                .compose(answer -> queryVector(uid, vector.vector(), semantic, query)
                                        .map(own -> passages(answer, index, semantic, own, query, vector)));
                    });
                });
    }

    @Override
    public Future<BackendReply.DocumentPart> read(BackendRequest.ReadDocument request, CallContext context) {
        TeamFilters teamFilters = TeamFilters.of(context.caller());
        VisibleIndexes.check(request.source(), teamFilters);
        if (teamFilters.rules() != null) {
            throw new ToolException(new ToolReply.Failed(
                            FailureKind.DENIED,
                            "This team is restricted by searchRules, which Meilisearch applies to searches only. Use"
                                    + " meilisearch_search.")
                    .withCode(BackendRequest.ReadDocument.ONLY_SEARCHED));
        }
        return visible(request, teamFilters.filter(), context)
                .compose(_ -> meilisearchApi.document(request.source(), request.document(), context))
                .map(document -> new FieldGuesser((ObjectNode) document, request.named())
                        .part(request.offset(), request.maxChars()));
    }

    /** Fails in the same way for a document that is hidden from the team and one that does not exist. */
    private Future<Void> visible(BackendRequest.ReadDocument request, @Nullable String filter, CallContext context) {
        return filter == null
                ? Future.succeededFuture()
                : meilisearchApi
                        .satisfies(request.source(), request.document(), filter, context)
                        .compose(satisfied -> satisfied
                                ? Future.succeededFuture()
                                : Future.failedFuture(new ToolException(
                                        FailureKind.NOT_FOUND,
                                        "There is no document " + request.document() + " in \"" + request.source()
                                                + "\".")));
    }

    private Future<JsonNode> settings(String uid, CallContext context) {
        // A key that may not read settings may still search, by keyword.
        return meilisearchApi.settings(uid, context).otherwise(Json.object());
    }

    private Future<SearchableSource> source(JsonNode index, DocumentCounts.Counts counted, CallContext context) {
        String uid = index.path("uid").asText();
        return settings(uid, context)
                .map(settings -> new SearchableSource(
                        uid,
                        "Index of documents",
                        counted.byUid().get(uid),
                        FilterableAttributes.of(settings)
                                .map(FilterableAttributes::fields)
                                .orElse(List.of()),
                        index.path("updatedAt").asText(null),
                        semantic(settings) == null ? List.of("keyword") : List.of("keyword", "vector")));
    }

    /** The index's embedder to search with: the first by name. */
    private static @Nullable String semantic(JsonNode settings) {
        TreeSet<String> names = new TreeSet<>();
        settings.path("embedders").fieldNames().forEachRemaining(names::add);
        return names.isEmpty() ? null : names.first();
    }

    private static SearchTool.Args args(String uid, SourceQuery query, @Nullable String semantic) {
        return new SearchTool.Args(
                uid,
                query.brief(),
                null,
                semantic == null ? null : new SearchTool.Hybrid(semantic, SEMANTIC_RATIO),
                filter(query.conditions()),
                null,
                null,
                null,
                query.limit(),
                0,
                null,
                null,
                null,
                null,
                null,
                true,
                null);
    }

    private static @Nullable JsonNode filter(List<Condition> conditions) {
        if (conditions.isEmpty()) {
            return null;
        }
        ArrayNode all = Json.array();
        conditions.forEach(condition -> all.add(expression(condition)));
        return all;
    }

    private static JsonNode expression(Condition condition) {
        JsonNode value = condition.value();
        if (value.isTextual()) {
            return texts(condition);
        }
        return Json.mapper()
                .valueToTree(FilterLiteral.quotedText(condition.field())
                        + switch (condition.comparison()) {
                            case EQUAL -> " = ";
                            case AT_LEAST -> " >= ";
                            case MORE_THAN -> " > ";
                            case AT_MOST -> " <= ";
                            case LESS_THAN -> " < ";
                        }
                        + value.asText());
    }

    /** The engine stores times as texts, so a condition on one lists alternatives in brackets. */
    private static JsonNode texts(Condition condition) {
        if (condition.comparison() != Operator.EQUAL) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    UnknownFields.quoted(condition.field())
                            + " can't be applied here: Meilisearch compares only numbers by order.");
        }
        String given = condition.value().asText();
        List<String> alternatives =
                FilterTimestamp.of(given)
                        .map(filterTimestamp -> filterTimestamp.forms(given))
                        .orElse(List.of(given))
                        .stream()
                        .map(text ->
                                FilterLiteral.quotedText(condition.field()) + " = " + FilterLiteral.quotedText(text))
                        .toList();
        return Json.mapper().valueToTree(alternatives.size() == 1 ? alternatives.getFirst() : alternatives);
    }

    /** The vector for cosines; empty if the engine computed its own. */
    private Future<Optional<QueryEmbedding>> queryVector(
            String uid, @Nullable JsonNode sent, @Nullable String semantic, SourceQuery query) {
        return sent == null || semantic == null
                ? Future.succeededFuture(Optional.empty())
                : QueryEmbedding.of(query.brief(), models.of(uid));
    }

    private BackendReply.Passages passages(
            JsonNode answer,
            JsonNode index,
            @Nullable String semantic,
            Optional<QueryEmbedding> queryVector,
            SourceQuery query,
            HybridQueryVectors.QueryVectorChoice choice) {
        String key = index.path("primaryKey").asText();
        // The engine compares texts without regard to case and accents.
        List<Condition> exact = query.conditions().stream()
                .filter(condition -> condition.value().isTextual())
                .toList();
        List<Passage> passages = new ArrayList<>();
        List<FieldGuesser> others = new ArrayList<>();
        for (JsonNode hit : answer.path("hits")) {
            ObjectNode document = hit.deepCopy();
            JsonNode stored = document.path("_vectors").path(semantic == null ? "" : semantic);
            Passage.Similarity similarity = queryVector
                    .map(vector -> similarity(vector, stored.path("embeddings")))
                    .orElse(null);
            double score = document.path("_rankingScore").asDouble();
            document.remove(List.of("_vectors", "_rankingScore"));
            FieldGuesser fields = new FieldGuesser(document);
            if (fields.meets(exact)) {
                passages.add(new Passage(
                                document.path(key).asText(),
                                fields.title(),
                                fields.url(),
                                fields.text(),
                                score,
                                similarity,
                                fields.others())
                        .at(fields.place()));
            } else {
                others.add(fields);
            }
        }
        checkTypes(exact, passages.isEmpty() ? others : List.of());
        return BackendReply.Passages.of(query, passages, choice.note().orElse(null));
    }

    /** Fails if a condition has another type than its field, which the engine takes for the same. */
    private static void checkTypes(List<Condition> exact, List<FieldGuesser> hits) {
        List<Optional<String>> mistakes =
                hits.stream().map(hit -> hit.mistaken(exact)).distinct().toList();
        if (mistakes.size() == 1) {
            mistakes.getFirst().ifPresent(mistake -> {
                throw new ToolException(FailureKind.INVALID_ARGUMENT, mistake);
            });
        }
    }

    private static Passage.@Nullable Similarity similarity(QueryEmbedding query, JsonNode embeddings) {
        return query.similarity(embeddings.path(0).isArray() ? embeddings.path(0) : embeddings);
    }
}
