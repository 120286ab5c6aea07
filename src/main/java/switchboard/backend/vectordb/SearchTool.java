package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.CallContext;
import switchboard.backend.ToolHandler;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.store.DocumentStore;
import switchboard.store.Hit;
import switchboard.store.QueryVectors;
import switchboard.store.SearchRequest;
import switchboard.store.SearchResult;
import switchboard.store.Space;
import switchboard.store.StoredDocument;

/** {@code search}. */
final class SearchTool implements ToolHandler<SearchTool.Args> {
    private static final String EMPTY =
            "There is no document yet that you may search. ingest_text, ingest_file and ingest_url add some.";

    private final Supplier<DocumentStore> store;
    private final Libraries libraries;
    private final QueryVectors vectors;
    private final FusionChoice usual;
    private final VectordbSettings.Ranking weights;

    SearchTool(
            Supplier<DocumentStore> store,
            Libraries libraries,
            QueryVectors vectors,
            FusionChoice usual,
            VectordbSettings.Ranking weights) {
        this.store = store;
        this.libraries = libraries;
        this.vectors = vectors;
        this.usual = usual;
        this.weights = weights;
    }

    record Args(
            String query,
            int top_k,
            @Nullable String library,
            @Nullable ObjectNode filter,
            @Nullable String fusion) {}

    /** One result; component names are those on the wire. */
    record Item(
            String doc_id,
            String source,
            String title,
            String library,
            String file_type,
            String last_modified,
            int page,
            String content,
            int chunk_index,
            String heading,
            ObjectNode metadata,
            double score,
            @Nullable Integer keyword_rank,
            @Nullable Double keyword_score,
            @Nullable Integer vector_rank,
            @Nullable Double vector_score) {
        static Item of(Hit hit) {
            StoredDocument document = hit.chunk().document();
            return new Item(
                    document.id(),
                    document.source(),
                    document.title(),
                    document.space().name(),
                    document.fileType(),
                    document.lastModified() == null ? "" : document.lastModified(),
                    hit.chunk().page(),
                    hit.chunk().text(),
                    hit.chunk().index(),
                    hit.chunk().headingPath(),
                    document.metadata(),
                    hit.score(),
                    rank(hit.keyword()),
                    hit.keyword().map(Hit.Leg::score).orElse(null),
                    rank(hit.vector()),
                    hit.vector().map(Hit.Leg::score).orElse(null));
        }

        private static @Nullable Integer rank(Optional<Hit.Leg> leg) {
            return leg.map(Hit.Leg::rank).filter(rank -> rank > 0).orElse(null);
        }
    }

    record Reply(List<Item> results, String mode, @Nullable String reason) {}

    @Override
    public String name() {
        return "search";
    }

    @Override
    public Class<Args> argsType() {
        return Args.class;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.query().isBlank()) {
            return Future.succeededFuture(
                    ToolReply.failed(FailureKind.INVALID_ARGUMENT, "query must not be empty. Say what to look for."));
        }
        SearchFilter filter = SearchFilter.of(args.filter());
        List<Space> readable = libraries.forReading(args.library(), context.caller());
        Optional<String> unknown = libraries
                .unknown(args.library(), context.caller())
                .or(() -> libraries.unknown(filter.library().orElse(null), context.caller()));
        if (unknown.isPresent()) {
            return Future.succeededFuture(ToolReply.failed(FailureKind.NOT_FOUND, unknown.get()));
        }
        List<Space> spaces = readable.stream()
                .filter(space ->
                        filter.library().isEmpty() || filter.library().get().equals(space.name()))
                .toList();
        if (spaces.isEmpty() && args.library() == null) {
            return Future.succeededFuture(ToolReply.ok(new Reply(List.of(), "keyword", EMPTY)));
        }
        FusionChoice fusion = args.fusion() == null ? usual : FusionChoice.of(args.fusion());
        return vectors.of(args.query(), spaces).compose(vector -> store.get()
                .search(new SearchRequest(
                        args.query(), vector.values(), spaces, filter.chunks(), args.top_k(), fusion.fusion(weights)))
                .map(found -> reply(found, vector)));
    }

    private static ToolReply reply(SearchResult found, QueryVectors.Attempt vector) {
        List<Item> items = found.hits().stream().map(Item::of).toList();
        String reason = Stream.of(vector.notUsed(found), byRank(found, vector), found.leftOut())
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
        boolean used = !vector.values().isEmpty()
                && (found.vectorsNotUsed().isEmpty()
                        || found.hits().stream().anyMatch(hit -> hit.vector().isPresent()));
        return ToolReply.ok(new Reply(items, used ? "hybrid" : "keyword", reason.isEmpty() ? null : reason));
    }

    private static Optional<String> byRank(SearchResult found, QueryVectors.Attempt vector) {
        return found.byRank()
                ? Optional.of("The libraries have vectors of several models ("
                        + vector.values().stream()
                                .map(SearchRequest.QueryVector::model)
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + "), whose scores can't be compared: the order follows ranks (rrf). Name a library for scores"
                        + " of one model.")
                : Optional.empty();
    }
}
