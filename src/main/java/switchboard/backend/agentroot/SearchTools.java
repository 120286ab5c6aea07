package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.Ranking.Ranked;
import switchboard.backend.agentroot.Results.Detail;
import switchboard.call.CallContext;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.Filter;
import switchboard.store.Namespace;

/** {@code search}, {@code vsearch}, {@code query}, {@code smart_search}, {@code batch_search}, {@code explore}. */
final class SearchTools {
    private static final double VECTOR_MIN_SCORE = 0.3;
    private static final int MAX_RESULT_LISTS = 20;

    private final CollectionRegistry registry;
    private final Ranking ranking;
    private final Results results;
    private final SessionDemotion sessionDemotion;
    private final QueryInterpreter queryInterpreter;

    SearchTools(
            CollectionRegistry registry,
            Ranking ranking,
            Results results,
            SessionDemotion sessionDemotion,
            QueryInterpreter queryInterpreter) {
        this.registry = registry;
        this.ranking = ranking;
        this.results = results;
        this.sessionDemotion = sessionDemotion;
        this.queryInterpreter = queryInterpreter;
    }

    List<ToolHandler<?>> all() {
        return List.of(
                new Tool<>("search", SearchArgs.class, this::search),
                new Tool<>("vsearch", SearchArgs.class, this::vsearch),
                new Tool<>("query", QueryArgs.class, this::query),
                new Tool<>("smart_search", SmartArgs.class, this::smartSearch),
                new Tool<>("batch_search", BatchArgs.class, this::batchSearch),
                new Tool<>("explore", ExploreArgs.class, this::explore));
    }

    record SearchArgs(
            String query,
            int limit,
            @Nullable Double minScore,
            @Nullable String collection,
            @Nullable String provider,
            @Nullable String category,
            @Nullable String difficulty,
            @Nullable String concept,
            String detail,
            @Nullable String session_id) {}

    record QueryArgs(
            String query,
            int limit,
            @Nullable String collection,
            @Nullable String provider,
            @Nullable String category,
            @Nullable String difficulty,
            @Nullable String concept,
            String detail,
            @Nullable String session_id) {
        SearchArgs search() {
            return new SearchArgs(
                    query, limit, null, collection, provider, category, difficulty, concept, detail, session_id);
        }
    }

    record SmartArgs(
            String query,
            int limit,
            @Nullable Double minScore,
            @Nullable String collection,
            String detail,
            @Nullable String session_id) {}

    record BatchQuery(
            @Nullable String query,
            @Nullable Integer limit,
            @Nullable String collection) {}

    record BatchArgs(
            List<BatchQuery> queries,
            String detail,
            @Nullable String session_id) {}

    record ExploreArgs(
            String query,
            int limit,
            @Nullable String collection,
            String detail,
            @Nullable String session_id) {}

    private Future<ToolReply> search(SearchArgs args, CallContext context) {
        return prepared(args, or(args.minScore(), 0), context)
                .compose(ranking::byWords)
                .compose(found -> reply(args, "keyword", found, context));
    }

    private Future<ToolReply> vsearch(SearchArgs args, CallContext context) {
        return prepared(args, or(args.minScore(), VECTOR_MIN_SCORE), context)
                .compose(query -> ranking.byVectors(query).compose(found -> {
                    boolean instead =
                            found.documents().isEmpty() && found.reason().isPresent();
                    if (!instead) {
                        return reply(args, "vector", found, context);
                    }
                    // The usual least score is meant for cosines; scores by words only have the caller's own.
                    return ranking.byWords(new Ranking.Query(
                                    query.words(),
                                    query.namespaces(),
                                    query.filter(),
                                    query.limit(),
                                    or(args.minScore(), 0)))
                            .compose(words -> reply(args, "keyword", words.because(found.reason()), context));
                }));
    }

    private Future<ToolReply> query(QueryArgs args, CallContext context) {
        return prepared(args.search(), 0, context)
                .compose(ranking::byBoth)
                .compose(found -> reply(args.search(), hybrid(found), found, context));
    }

    /** If vectors were not used at all, the ranking is the keyword ranking. */
    private static String hybrid(Ranking.RankedDocuments found) {
        return found.byWordsAlone() ? "keyword" : "hybrid";
    }

    private Future<ToolReply> smartSearch(SmartArgs args, CallContext context) {
        SearchArgs search = new SearchArgs(
                args.query(),
                args.limit(),
                args.minScore(),
                args.collection(),
                null,
                null,
                null,
                null,
                args.detail(),
                args.session_id());
        return registry.reading(args.collection(), context.caller()).compose(namespaces -> queryInterpreter
                .of(args.query(), namespaces.stream().map(Namespace::name).toList(), context)
                .compose(meaning -> understood(search, namespaces, meaning.understood())
                        .compose(found -> json(search, hybrid(found), found, context))
                        .map(reply -> {
                            reply.put("parser", meaning.parser());
                            meaning.reason().ifPresent(reason -> reply.put("parserReason", reason));
                            reply.set("understood", meaning.understood().json());
                            return shown(reply);
                        })));
    }

    private Future<Ranking.RankedDocuments> understood(
            SearchArgs args, List<Namespace> namespaces, HeuristicQueryParser.Understood meaning) {
        SearchText text = SearchText.of(meaning.words());
        List<Filter> filters = new ArrayList<>(text.filters());
        filters.addAll(meaning.filters());
        Filter filter = filters.isEmpty() ? new Filter.All() : new Filter.And(filters);
        return ranking.byBoth(new Ranking.Query(text.words(), namespaces, filter, args.limit(), 0))
                .map(found -> found.with(found.documents().stream()
                        .map(one -> found.byWordsAlone() ? one : one.scored(one.score() / ranking.most()))
                        .filter(one -> one.score() >= or(args.minScore(), 0))
                        .toList()));
    }

    private Future<Ranking.Query> prepared(SearchArgs args, double minScore, CallContext context) {
        SearchText text = SearchText.of(args.query());
        List<Filter> filters = new ArrayList<>(text.filters());
        if (args.provider() != null) {
            filters.add(DocumentMetadata.equal("provider", folded(args.provider())));
        }
        if (args.category() != null) {
            filters.add(DocumentMetadata.contains("category", folded(args.category())));
        }
        if (args.difficulty() != null) {
            filters.add(DocumentMetadata.equal("difficulty", folded(args.difficulty())));
        }
        if (args.concept() != null) {
            String concept = folded(args.concept());
            filters.add(new Filter.Or(List.of(
                    DocumentMetadata.contains("concepts", concept), DocumentMetadata.contains("keywords", concept))));
        }
        Filter filter = filters.isEmpty() ? new Filter.All() : new Filter.And(filters);
        return registry.reading(args.collection(), context.caller())
                .map(namespaces -> new Ranking.Query(text.words(), namespaces, filter, args.limit(), minScore));
    }

    private static String folded(String text) {
        return text.strip().toLowerCase(Locale.ROOT);
    }

    private static double or(@Nullable Double value, double otherwise) {
        return value == null ? otherwise : value;
    }

    private Future<ToolReply> reply(SearchArgs args, String mode, Ranking.RankedDocuments found, CallContext context) {
        return json(args, mode, found, context).map(SearchTools::shown);
    }

    private Future<ObjectNode> json(SearchArgs args, String mode, Ranking.RankedDocuments found, CallContext context) {
        List<Results.DocumentResult> items = sessionDemotion.apply(
                args.session_id(), context.caller(), args.query(), Results.items(found.documents()));
        return results.json(args.query(), items, Detail.of(args.detail())).map(array -> {
            ObjectNode reply = Json.object()
                    .put("query", SearchText.shown(args.query()))
                    .put("count", array.size())
                    .put("mode", mode);
            found.reason().ifPresent(reason -> reply.put("reason", reason));
            reply.set("results", array);
            return reply;
        });
    }

    /** The line that agentroot shows, and the whole. */
    private static ToolReply shown(ObjectNode reply) {
        String line = "Found " + reply.path("count").asInt() + " results for \""
                + reply.path("query").asText() + "\"";
        return new ToolReply.Ok(
                List.of(new ContentBlock.TextBlock(line), new ContentBlock.TextBlock(Json.text(reply))), reply);
    }

    private Future<ToolReply> batchSearch(BatchArgs args, CallContext context) {
        if (args.queries().size() > MAX_RESULT_LISTS) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "At most " + MAX_RESULT_LISTS + " queries in one call. Send the rest in another.");
        }
        ArrayNode batches = Json.array();
        Future<Void> done = Future.succeededFuture();
        for (BatchQuery query : args.queries()) {
            done = done.compose(_ -> batch(query, args, context))
                    .recover(failure -> failure instanceof ToolException known
                            ? Future.succeededFuture(failed(query, known))
                            : Future.failedFuture(failure))
                    .map(also(batches::add))
                    .mapEmpty();
        }
        return done.map(
                _ -> ToolReply.ok(Json.object().put("count", batches.size()).set("batches", batches)));
    }

    private Future<ObjectNode> batch(BatchQuery query, BatchArgs args, CallContext context) {
        if (query.query() == null || query.query().isBlank()) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "Missing query");
        }
        SearchArgs one = new SearchArgs(
                query.query(),
                query.limit() == null ? 5 : query.limit(),
                null,
                query.collection(),
                null,
                null,
                null,
                null,
                args.detail(),
                args.session_id());
        return prepared(one, 0, context)
                .compose(ranking::byWords)
                .compose(found -> json(one, "keyword", found, context));
    }

    private static ObjectNode failed(BatchQuery query, ToolException failure) {
        ObjectNode one = Json.object()
                .put("query", query.query() == null ? "" : query.query())
                .put("count", 0);
        one.putArray("results");
        return one.put("error", failure.failed().message());
    }

    private Future<ToolReply> explore(ExploreArgs args, CallContext context) {
        SearchArgs search = new QueryArgs(
                        args.query(),
                        args.limit(),
                        args.collection(),
                        null,
                        null,
                        null,
                        null,
                        args.detail(),
                        args.session_id())
                .search();
        return prepared(search, 0, context)
                .compose(ranking::byBoth)
                .compose(found -> json(search, hybrid(found), found, context).map(reply -> {
                    reply.set(
                            "suggestions",
                            Suggestions.of(
                                    args.query(),
                                    found.documents().stream()
                                            .map(Ranked::document)
                                            .toList()));
                    return shown(reply);
                }));
    }
}
