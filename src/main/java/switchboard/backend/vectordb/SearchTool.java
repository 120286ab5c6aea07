package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.backend.embedded.StoredDocumentsGiven;
import switchboard.backend.embedded.StoredRefs;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.GivenDocuments;
import switchboard.call.PassageRef;
import switchboard.call.PassageRefs;
import switchboard.call.SpellingSuggestion;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.signal.PassageSignal;
import switchboard.signal.PassageSignals;
import switchboard.signal.Quotation;
import switchboard.store.Hit;
import switchboard.store.Namespace;
import switchboard.store.NamespaceQueryVectors;
import switchboard.store.Relevance;
import switchboard.store.RoundedScore;
import switchboard.store.ScoreExplanation;
import switchboard.store.SearchRequest;
import switchboard.store.SearchResult;
import switchboard.store.StoredDocument;

/** {@code search}. */
record SearchTool(
        String backend,
        CallerStore store,
        LibraryResolver libraryResolver,
        NamespaceQueryVectors vectors,
        FusionChoice usual,
        VectordbSettings.Ranking weights,
        HitReranker hitReranker,
        BlockingExecutor executor)
        implements ToolHandler<SearchTool.Args> {
    private static final String EMPTY =
            "There is no document yet that you may search. ingest_file and ingest_url add some.";

    record Args(
            String query,
            int top_k,
            int per_document,
            double min_relevance,
            @Nullable String library,
            @Nullable ObjectNode filter,
            @Nullable String fusion,
            boolean explain) {}

    /** Another document with the same text. */
    record Copy(String doc_id, String source, String title, String library) {
        static Copy of(StoredDocument document) {
            return new Copy(
                    document.id(),
                    document.source(),
                    document.title(),
                    document.namespace().name());
        }
    }

    /** One result; component names are those on the wire. */
    record HitItem(
            String doc_id,
            String source,
            String title,
            String library,
            String file_type,
            String last_modified,
            int page,
            int last_page,
            @Nullable List<PassageSignal> signals,
            String content,
            int chunk_index,
            String heading,
            ObjectNode metadata,
            double score,
            @Nullable Double relevance,
            @Nullable Double rerank_score,
            @Nullable Integer keyword_rank,
            @Nullable Double keyword_score,
            @Nullable Integer vector_rank,
            @Nullable Double vector_score,
            @Nullable List<Copy> also_in,
            @Nullable ScoreExplanation explanation,
            @Nullable PassageRef ref) {
        static HitItem of(
                String backend,
                HitReranker.RankedHit placed,
                @Nullable ScoreExplanation explanation,
                PassageRefs refs) {
            Hit hit = placed.hit();
            StoredDocument document = hit.chunk().document();
            return new HitItem(
                    document.id(),
                    document.source(),
                    document.title(),
                    document.namespace().name(),
                    document.fileType(),
                    document.lastModified() == null ? "" : document.lastModified(),
                    hit.chunk().firstPage(),
                    hit.chunk().lastPage(),
                    signals(hit),
                    hit.chunk().text(),
                    hit.chunk().index(),
                    hit.chunk().headingPath(),
                    document.metadata(),
                    RoundedScore.of(hit.score()),
                    Relevance.shown(hit.relevance()),
                    placed.score().isPresent() ? RoundedScore.of(placed.score().getAsDouble()) : null,
                    rank(hit.keyword().map(Hit.Retriever::rank)),
                    RoundedScore.of(hit.keyword().map(Hit.Retriever::score)),
                    rank(hit.vector().map(Hit.VectorMatch::rank)),
                    RoundedScore.of(hit.vector().map(Hit.VectorMatch::score)),
                    hit.copies().isEmpty()
                            ? null
                            : hit.copies().stream().map(Copy::of).toList(),
                    explanation,
                    StoredRefs.of(backend, hit.chunk(), refs));
        }

        private static @Nullable List<PassageSignal> signals(Hit hit) {
            PassageSignals signals = ChunkSignals.of(hit.chunk());
            hit.copies()
                    .forEach(copy -> signals.add("also_in.title", copy.title()).add("also_in.source", copy.source()));
            return signals.shown();
        }

        private static @Nullable Integer rank(Optional<Integer> retriever) {
            return retriever.filter(rank -> rank > 0).orElse(null);
        }
    }

    record Reply(
            @Nullable String quoted,
            List<HitItem> results,
            String mode,
            @Nullable String reason,
            @Nullable List<SpellingSuggestion.Correction> corrected,
            @Nullable String time) {}

    @Override
    public String name() {
        return "search";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.query().isBlank()) {
            return Future.succeededFuture(
                    ToolReply.failed(FailureKind.INVALID_ARGUMENT, "query must not be empty. Say what to look for."));
        }
        SearchFilter filter = SearchFilter.of(args.filter());
        List<Namespace> namespaces = libraryResolver.forReading(args.library(), context.caller()).stream()
                .filter(namespace ->
                        filter.library().isEmpty() || filter.library().get().equals(namespace.name()))
                .toList();
        return libraryResolver
                .readable(namespaces, context.caller())
                .compose(readable -> readable.isEmpty()
                        ? nothingToSearch(args, filter, context)
                        : searched(args, filter, readable, context));
    }

    /** The answer if no library is left to search: one that does not exist is named. */
    private Future<ToolReply> nothingToSearch(Args args, SearchFilter filter, CallContext context) {
        return unknown(args.library(), context)
                .compose(unknown -> unknown.isPresent()
                        ? Future.succeededFuture(unknown)
                        : unknown(filter.library().orElse(null), context))
                .compose(unknown -> {
                    if (unknown.isPresent()) {
                        return Future.succeededFuture(ToolReply.failed(FailureKind.NOT_FOUND, unknown.get()));
                    }
                    return args.library() == null
                            ? Future.succeededFuture(
                                    ToolReply.ok(new Reply(null, List.of(), "keyword", EMPTY, null, null)))
                            : searched(args, filter, List.of(), context);
                });
    }

    private Future<Optional<String>> unknown(@Nullable String library, CallContext context) {
        return library == null
                ? Future.succeededFuture(Optional.empty())
                : libraryResolver.unknown(library, context.caller());
    }

    private Future<ToolReply> searched(
            Args args, SearchFilter filter, List<Namespace> namespaces, CallContext context) {
        FusionChoice fusion = args.fusion() == null ? usual : FusionChoice.of(args.fusion());
        return vectors.of(args.query(), namespaces).compose(vector -> store.of(context.caller())
                .search(new SearchRequest(
                        args.query(),
                        vector.values(),
                        namespaces,
                        filter.chunks(),
                        SearchRequest.HitLimits.varied(
                                        hitReranker.candidates(args.top_k()),
                                        filter.oneDocument() ? 0 : args.per_document())
                                .relevant(args.min_relevance()),
                        fusion.fusion(weights),
                        SearchRequest.Spelling.CORRECTED,
                        args.explain() ? SearchRequest.Explain.PARTS_AND_WORDS : SearchRequest.Explain.NOTHING))
                .compose(found -> hitReranker
                        .best(args.query(), found.hits(), args.top_k(), context)
                        .compose(best -> made(best, context, () -> reply(best, found, vector, PassageRefs.of(context)))
                                .map(reply -> reply.giving(
                                        context,
                                        () -> StoredDocumentsGiven.found(
                                                args.query(), namespaces, best.hits(), SearchTool::given))))));
    }

    /** Makes the reply, on another thread if that takes long: where texts have to be looked through for signals, or are long. */
    private Future<ToolReply.Ok> made(HitReranker.RankedHits best, CallContext context, Supplier<ToolReply.Ok> reply) {
        boolean quick = ChunkSignals.quick(
                best.hits().stream().map(HitReranker.RankedHit::hit).toList());
        return quick ? Future.succeededFuture(reply.get()) : executor.run(context, reply::get);
    }

    private static GivenDocuments.GivenHit given(HitReranker.RankedHit placed) {
        Hit hit = placed.hit();
        return new GivenDocuments.GivenHit(
                StoredDocumentsGiven.document(hit.chunk().document()),
                RoundedScore.of(hit.score()),
                Relevance.shown(hit.relevance()));
    }

    private ToolReply.Ok reply(
            HitReranker.RankedHits best, SearchResult found, NamespaceQueryVectors.Attempt vector, PassageRefs refs) {
        Map<Hit, ScoreExplanation> explanations = explanations(found);
        List<HitItem> items = best.hits().stream()
                .map(placed -> HitItem.of(backend, placed, explanations.get(placed.hit()), refs))
                .toList();
        String reason = Stream.of(
                        found.nothing(),
                        found.shortened(),
                        vector.notUsed(found),
                        byRank(found, vector),
                        best.unused(),
                        found.leftOut())
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
        boolean used = !vector.values().isEmpty()
                && (found.vectorsNotUsed().isEmpty()
                        || best.hits().stream()
                                .anyMatch(one -> one.hit().vector().isPresent()));
        return ToolReply.ok(new Reply(
                Quotation.of(items),
                items,
                used ? "hybrid" : "keyword",
                reason.isEmpty() ? null : reason,
                found.similarWords().isEmpty()
                        ? null
                        : found.similarWords().stream()
                                .map(SpellingSuggestion::correction)
                                .toList(),
                refs.time(!items.isEmpty())));
    }

    /** By hit as an object: a reranker changes the order. */
    private static Map<Hit, ScoreExplanation> explanations(SearchResult found) {
        if (found.explanations().isEmpty()) {
            return Map.of();
        }
        Map<Hit, ScoreExplanation> explanations = new IdentityHashMap<>();
        for (int i = 0; i < found.hits().size(); i++) {
            explanations.put(found.hits().get(i), found.explanations().get(i).rounded());
        }
        return explanations;
    }

    private static Optional<String> byRank(SearchResult found, NamespaceQueryVectors.Attempt vector) {
        return found.byRank()
                ? Optional.of("The libraries have vectors of several models ("
                        + vector.values().stream()
                                .map(SearchRequest.QueryVector::model)
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + "), whose scores can't be compared: the order follows ranks (rrf). Name a library for scores"
                        + " of one model; the operator can say what their cosines mean (embedders.<name>.cosines), which"
                        + " makes them comparable.")
                : Optional.empty();
    }
}
