package switchboard.backend.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.SearchProvider;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.FilterField;
import switchboard.call.FilterTimestamp;
import switchboard.call.Passage;
import switchboard.call.ScorePart;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.ToolException;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentStore;
import switchboard.store.DocumentText;
import switchboard.store.Filter;
import switchboard.store.Filter.Value;
import switchboard.store.Fusion;
import switchboard.store.Hit;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.NamespaceQueryVectors;
import switchboard.store.NamespaceStats;
import switchboard.store.SearchRequest;
import switchboard.store.SearchResult;
import switchboard.store.StoredDocument;

/** Makes namespaces searchable together with sources of other backends. Thread-safe. */
public record NamespaceSearch(CallerStore store, NamespaceResolver shelf, NamespaceQueryVectors vectors, Fusion fusion)
        implements SearchProvider {
    /**
     * A namespace that a caller may use.
     *
     * @param readers who may use it at all; each of its documents may have fewer readers
     */
    public record ReadableNamespace(Namespace namespace, AllowedReaders readers) {}

    /** The namespaces that a caller may search. A source has the name of its namespace. */
    public interface NamespaceResolver {
        /** All namespaces that the caller may see. */
        Future<List<Namespace>> visible(Caller caller);

        /**
         * The namespace called {@code name}. If it does not exist, this may fail with {@code NOT_FOUND}.
         *
         * @throws ToolException {@code DENIED} if the caller may not use it
         */
        Future<ReadableNamespace> named(String name, Caller caller);

        /** A description of a namespace's content. */
        String about(Namespace namespace);
    }

    @Override
    public Future<BackendReply.Sources> sources(BackendRequest.ListSources request, CallContext context) {
        return shelf.visible(context.caller())
                .compose(namespaces -> store.of(context.caller()).stats(namespaces))
                .compose(all -> NamespaceFields.of(
                                all.stream().map(NamespaceStats::namespace).toList(),
                                request.fields(),
                                store.of(context.caller()),
                                context)
                        .map(fields -> new BackendReply.Sources(all.stream()
                                // A damaged one stays: who searches it learns why it gives nothing.
                                .filter(space -> space.documents() > 0 || space.damage() != null)
                                .map(space -> source(space, fields.getOrDefault(space.namespace(), List.of())))
                                .toList())));
    }

    @Override
    public Future<BackendReply.Passages> search(BackendRequest.SearchSource request, CallContext context) {
        SourceQuery query = request.query();
        NamespaceFields.checkOwn(query.conditions());
        Filter filter = new Filter.And(
                query.conditions().stream().map(NamespaceSearch::filter).toList());
        return shelf.named(request.source(), context.caller())
                .compose(named -> searched(query, filter, List.of(named.namespace()), context));
    }

    private Future<BackendReply.Passages> searched(
            SourceQuery query, Filter filter, List<Namespace> namespace, CallContext context) {
        return vectors(query, namespace).compose(vector -> found(
                        new SearchRequest(
                                query.text(),
                                vector.values(),
                                namespace,
                                filter,
                                SearchRequest.HitLimits.varied(query.limit(), query.perDocument()),
                                fusion(query.mode(), vector),
                                SearchRequest.Spelling.SUGGESTED,
                                query.explain() ? SearchRequest.Explain.PARTS : SearchRequest.Explain.NOTHING),
                        store.of(context.caller()))
                .compose(found -> found.hits().isEmpty()
                        ? NamespaceFields.check(query.conditions(), namespace.getFirst(), store.of(context.caller()))
                                .map(_ -> found)
                        : Future.succeededFuture(found))
                .map(found -> new BackendReply.Passages(
                        passages(found),
                        Stream.of(vector.notUsed(found), found.shortened())
                                .flatMap(Optional::stream)
                                .reduce((one, other) -> one + " " + other)
                                .orElse(null),
                        found.statistics(),
                        found.similarWords())));
    }

    /** Where a search by vectors alone has none to compare, words are better than nothing. */
    private Future<SearchResult> found(SearchRequest request, DocumentStore documents) {
        Future<SearchResult> found = documents.search(request);
        if (!(request.fusion() instanceof Fusion.VectorOnly)) {
            return found;
        }
        return found.compose(
                result -> result.hits().isEmpty() && result.vectorsNotUsed().isPresent()
                        ? documents.search(request.by(fusion))
                        : Future.succeededFuture(result),
                thrown -> thrown instanceof ToolException failure
                                && failure.failed().kind() == FailureKind.CONFLICT
                        ? documents.search(request.by(fusion))
                        : Future.failedFuture(thrown));
    }

    private Future<NamespaceQueryVectors.Attempt> vectors(SourceQuery query, List<Namespace> namespace) {
        return query.mode() == SourceQuery.SearchMode.KEYWORD
                ? Future.succeededFuture(NamespaceQueryVectors.Attempt.NOT_WANTED)
                : vectors.of(query.text(), namespace);
    }

    /** Without a vector of the query, words are better than nothing; the answer says so. */
    private Fusion fusion(SourceQuery.SearchMode mode, NamespaceQueryVectors.Attempt vector) {
        return switch (mode) {
            case HYBRID -> fusion;
            case KEYWORD -> new Fusion.KeywordOnly();
            case VECTOR -> vector.values().isEmpty() ? fusion : new Fusion.VectorOnly();
        };
    }

    private static List<Passage> passages(SearchResult found) {
        List<Passage> passages = new ArrayList<>();
        for (Hit hit : found.hits()) {
            passages.add(passage(
                    hit,
                    found.explanations().isEmpty()
                            ? List.of()
                            : found.explanations().get(passages.size()).parts()));
        }
        return passages;
    }

    @Override
    public Future<BackendReply.Documents> documents(BackendRequest.ListDocuments request, CallContext context) {
        return shelf.named(request.source(), context.caller())
                .compose(named -> store.of(context.caller())
                        .list(new ListRequest(
                                List.of(named.namespace()),
                                new Filter.All(),
                                ListRequest.Order.BY_SOURCE,
                                request.offset(),
                                request.limit())))
                .map(page -> new BackendReply.Documents(page.documents().stream()
                        .map(document ->
                                new BackendReply.ListedDocument(document.id(), document.title(), document.createdAt()))
                        .toList()));
    }

    @Override
    public Future<BackendReply.DocumentPart> read(BackendRequest.ReadDocument request, CallContext context) {
        return shelf.named(request.source(), context.caller())
                .compose(named -> found(named.namespace(), request, store.of(context.caller()))
                        .map(found -> found.map(text -> part(text, named.readers(), request))))
                .map(found -> found.orElseThrow(() -> new ToolException(
                        FailureKind.NOT_FOUND,
                        "There is no document " + request.document() + " in \"" + request.source() + "\".")));
    }

    private static Future<Optional<DocumentText>> found(
            Namespace namespace, BackendRequest.ReadDocument request, DocumentStore readable) {
        return switch (request.by()) {
            case ID -> readable.read(List.of(namespace), request.document());
            case LASTING -> StoredRefs.newest(readable, namespace, request.document());
        };
    }

    private SearchableSource source(NamespaceStats space, List<FilterField> fields) {
        return new SearchableSource(
                space.namespace().name(),
                shelf.about(space.namespace()),
                space.documents(),
                fields,
                Optional.ofNullable(space.changed())
                        .map(changed -> changed.truncatedTo(ChronoUnit.SECONDS).toString())
                        .orElse(null),
                vectors.configured(space.namespace()) ? List.of("keyword", "vector") : List.of("keyword"));
    }

    private static Passage passage(Hit hit, List<ScorePart> parts) {
        StoredDocument document = hit.chunk().document();
        ObjectNode fields = document.metadata().deepCopy();
        if (hit.chunk().firstPage() > 0) {
            fields.put("page", hit.chunk().firstPage());
            fields.put("last_page", hit.chunk().lastPage());
        }
        if (!hit.chunk().headingPath().isEmpty()) {
            fields.put("heading", hit.chunk().headingPath());
        }
        Passage.Similarity similarity = hit.vector()
                .map(near -> new Passage.Similarity(near.model(), near.score()))
                .orElse(null);
        return new Passage(
                document.id(),
                document.title(),
                document.source(),
                hit.chunk().text(),
                hit.score(),
                similarity,
                fields,
                hit.copies().stream().map(StoredDocument::id).toList(),
                parts,
                StoredRefs.place(hit.chunk()));
    }

    private static BackendReply.DocumentPart part(
            DocumentText found, AllowedReaders ofAll, BackendRequest.ReadDocument request) {
        AllowedReaders allow = found.document().allow().narrowedBy(ofAll);
        return BackendReply.DocumentPart.of(
                        found.document().title(),
                        found.document().source(),
                        found.text(),
                        request.offset(),
                        request.maxChars())
                .readableBy(allow.restricted() ? allow.places() : null)
                .of(StoredRefs.version(found.document()));
    }

    private static Filter filter(Condition condition) {
        String name = NamespaceFields.stored(condition.field());
        Optional<FilterTimestamp> time = condition.value().isTextual()
                ? FilterTimestamp.of(condition.value().asText())
                : Optional.empty();
        Value value = value(condition.value());
        Value first = time.<Value>map(filterTimestamp -> new Value.TextValue(filterTimestamp.brief()))
                .orElse(value);
        Value last = time.<Value>map(filterTimestamp -> new Value.TextValue(filterTimestamp.text()))
                .orElse(value);
        return switch (condition.comparison()) {
            case EQUAL ->
                time.<Filter>map(filterTimestamp -> anyOf(
                                name, filterTimestamp.forms(condition.value().asText())))
                        .orElseGet(() -> new Filter.Equal(name, value));
            case AT_LEAST -> range(name, first, null);
            case AT_MOST -> range(name, null, last);
            case MORE_THAN -> moreThan(name, last);
            case LESS_THAN -> lessThan(name, first);
        };
    }

    /** A chunk on several pages matches if one of its pages does. */
    private static Filter moreThan(String name, Value bound) {
        return bound instanceof Value.NumberValue(double number)
                ? range(name, new Value.NumberValue(Math.nextUp(number)), null)
                : without(range(name, bound, null), name, bound);
    }

    private static Filter lessThan(String name, Value bound) {
        return bound instanceof Value.NumberValue(double number)
                ? range(name, null, new Value.NumberValue(Math.nextDown(number)))
                : without(range(name, null, bound), name, bound);
    }

    private static Filter anyOf(String name, List<String> texts) {
        return new Filter.Or(
                texts.stream().map(text -> Filter.equal(name, text)).toList());
    }

    private static Filter range(String name, @Nullable Value min, @Nullable Value max) {
        return new Filter.Between(name, min, max);
    }

    private static Filter without(Filter range, String name, Value bound) {
        return new Filter.And(List.of(range, new Filter.Not(new Filter.Equal(name, bound))));
    }

    private static Value value(JsonNode value) {
        if (value.isNumber()) {
            return new Value.NumberValue(value.doubleValue());
        }
        if (value.isBoolean()) {
            return new Value.BooleanValue(value.booleanValue());
        }
        return new Value.TextValue(value.asText());
    }
}
