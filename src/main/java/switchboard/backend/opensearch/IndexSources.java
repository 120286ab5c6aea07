package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.FieldGuesser;
import switchboard.backend.QueryEmbedding;
import switchboard.backend.SearchProvider;
import switchboard.backend.opensearch.FoundHits.EngineHit;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.Passage;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery;

/** Makes indices searchable together with sources of other backends; hybrid if an index has a vector field for the embedder. */
record IndexSources(
        VisibleIndices indices,
        Mappings mappings,
        VisibleCounts counts,
        IndexSearcher searcher,
        VisibleDocument document)
        implements SearchProvider {
    private static final int MOST = 200;

    @Override
    public Future<BackendReply.Sources> sources(BackendRequest.ListSources request, CallContext context) {
        return indices.sources(context).compose(all -> {
            List<VisibleIndices.Entry> first = all.stream().limit(MOST).toList();
            return switch (request.fields()) {
                case KNOWN ->
                    Future.succeededFuture(new BackendReply.Sources(first.stream()
                            .map(entry -> source(entry, Optional.empty(), null, context.caller()))
                            .toList()));
                case ALL -> described(first, context);
            };
        });
    }

    /** One whose mapping can't be read stays: who searches it learns why it gives nothing. */
    private Future<BackendReply.Sources> described(List<VisibleIndices.Entry> entries, CallContext context) {
        List<String> names = entries.stream().map(VisibleIndices.Entry::name).toList();
        return mappings.ofEach(names, context).compose(known -> counts.of(names, context)
                .map(counted -> new BackendReply.Sources(entries.stream()
                        .map(entry -> source(
                                entry,
                                Optional.ofNullable(known.get(entry.name())),
                                counted.get(entry.name()),
                                context.caller()))
                        .toList())));
    }

    private SearchableSource source(
            VisibleIndices.Entry entry, Optional<IndexMapping> mapping, @Nullable Long documents, Caller caller) {
        boolean vectors = mapping.filter(known -> searcher.vectors().possible(entry.name(), known, caller))
                .isPresent();
        return new SearchableSource(
                entry.name(),
                switch (entry.kind()) {
                    case INDEX -> "Index of documents";
                    case ALIAS -> "Documents of several indices";
                    case DATA_STREAM -> "Data stream of documents in the order of time";
                },
                documents,
                mapping.map(IndexMapping::filterable).orElse(List.of()),
                null,
                vectors ? List.of("keyword", "vector") : List.of("keyword"));
    }

    @Override
    public Future<BackendReply.Passages> search(BackendRequest.SearchSource request, CallContext context) {
        indices.names().check(request.source(), context.caller());
        SourceQuery query = request.query();
        IndexQuery asked = new IndexQuery(
                request.source(),
                query.brief(),
                SearchMode.of(query.mode().name()),
                false,
                Optional.empty(),
                query.conditions(),
                new IndexQuery.Page(0, query.limit()),
                IndexQuery.SearchOptions.WITH_VECTORS);
        return searcher.search(asked, context)
                .map(found -> BackendReply.Passages.of(
                        query, passages(found), found.notes().isEmpty() ? null : String.join(" ", found.notes())));
    }

    @Override
    public Future<BackendReply.DocumentPart> read(BackendRequest.ReadDocument request, CallContext context) {
        indices.names().check(request.source(), context.caller());
        return document.of(request.source(), request.document(), context)
                .map(source -> new FieldGuesser(source, request.named()).part(request.offset(), request.maxChars()));
    }

    private static List<Passage> passages(FoundHits found) {
        List<Passage> passages = new ArrayList<>();
        for (EngineHit hit : found.hits()) {
            ObjectNode fields = hit.source().deepCopy();
            Passage.Similarity similarity =
                    found.vector().map(vector -> similarity(vector, hit)).orElse(null);
            found.vector().ifPresent(vector -> new FieldPath(vector.field().name()).removeFrom(fields));
            FieldGuesser guessed = new FieldGuesser(fields);
            passages.add(new Passage(
                            hit.id(),
                            guessed.title(),
                            guessed.url(),
                            guessed.text(),
                            hit.score(),
                            similarity,
                            guessed.others())
                    .at(guessed.place()));
        }
        return passages;
    }

    /** From its stored vector, if the engine gives it out, otherwise from the engine's score. */
    private static Passage.@Nullable Similarity similarity(SearchVector vector, EngineHit hit) {
        Optional<QueryEmbedding> own = vector.own();
        if (own.isEmpty()) {
            return null;
        }
        Passage.Similarity stored =
                own.get().similarity(new FieldPath(vector.field().name()).in(hit.source()));
        return stored != null || hit.cosine().isEmpty()
                ? stored
                : new Passage.Similarity(own.get().model(), hit.cosine().getAsDouble());
    }
}
