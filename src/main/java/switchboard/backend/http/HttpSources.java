package switchboard.backend.http;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import switchboard.backend.DeclaredSources;
import switchboard.backend.FieldGuesser;
import switchboard.backend.HitReader;
import switchboard.backend.SearchProvider;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.NamedFields;
import switchboard.call.SourceQuery;
import switchboard.call.ToolException;
import switchboard.upstream.AuthorizedClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/** Searches a server by declared requests. Thread-safe. */
final class HttpSources implements SearchProvider {
    /** Maximum length of a question in a URL. In UTF-8 and percent-encoded, it fits the 8 KB that most servers accept. */
    private static final int LONGEST_IN_URL = 700;

    private static final int NOT_FOUND = 404;
    private static final Set<String> PLAIN = Set.of("text/plain", "text/markdown");

    private final String id;
    private final AuthorizedClient client;
    private final DeclaredSources<DeclaredSource> declared;

    /** How a source is searched and read. */
    private record DeclaredSource(
            String description,
            RequestTemplate search,
            String results,
            HitReader reader,
            Optional<DeclaredDocument> document) {
        static DeclaredSource of(String id, HttpSettings.SourceSettings settings) {
            HttpSettings.ResultSettings hits = settings.results();
            return new DeclaredSource(
                    Objects.requireNonNullElse(settings.description(), "What a search of " + id + " finds"),
                    new RequestTemplate(settings.search()),
                    hits.list(),
                    HitReader.of(hits.id(), hits.score(), new NamedFields(hits.text(), hits.title(), hits.url())),
                    Optional.ofNullable(settings.document()).map(DeclaredDocument::of));
        }
    }

    /** How a document is read, with the declaration's texts compiled. */
    private record DeclaredDocument(RequestTemplate request, JsonPointer result, NamedFields named) {
        static DeclaredDocument of(HttpSettings.DocumentSettings settings) {
            return new DeclaredDocument(
                    new RequestTemplate(settings.request()),
                    JsonPointer.compile(Objects.requireNonNullElse(settings.result(), "")),
                    new NamedFields(settings.text(), settings.title(), settings.url()));
        }
    }

    HttpSources(String id, Map<String, HttpSettings.SourceSettings> sources, AuthorizedClient client) {
        Map<String, DeclaredSource> byName = new TreeMap<>();
        sources.forEach((name, settings) -> byName.put(name, DeclaredSource.of(id, settings)));
        this.id = id;
        this.client = client;
        this.declared = new DeclaredSources<>(id, byName);
    }

    @Override
    public Future<BackendReply.Sources> sources(BackendRequest.ListSources request, CallContext context) {
        return declared.list(context, DeclaredSource::description);
    }

    @Override
    public Future<BackendReply.Passages> search(BackendRequest.SearchSource request, CallContext context) {
        DeclaredSource source = declared.visible(request.source(), context);
        SourceQuery query = request.query();
        declared.checkUnfiltered(request.source(), query);
        String asked =
                source.search().asksByUrl() ? SourceQuery.beginning(query.text(), LONGEST_IN_URL) : query.brief();
        UpstreamRequest search = source.search()
                .search(asked, query.limit())
                .orElseThrow(() -> new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        id + ":" + request.source() + " can't be asked this: the question is a part of a path there."));
        return client.send(search, context).map(response -> {
            JsonNode results = json(response).at(source.results());
            if (!results.isArray()) {
                throw declared.noResults(request.source(), source.results());
            }
            return BackendReply.Passages.of(
                    query, asked, source.reader().passages(HitReader.objects(results), query.limit()), null);
        });
    }

    @Override
    public Future<BackendReply.DocumentPart> read(BackendRequest.ReadDocument request, CallContext context) {
        DeclaredDocument document = declared.visible(request.source(), context)
                .document()
                .filter(_ -> !HitReader.isDigest(request.document()))
                .orElseThrow(() -> declared.unreadable(request.source()));
        UpstreamRequest read =
                document.request().document(request.document()).orElseThrow(() -> declared.missing(request));
        return client.send(read, context).map(response -> {
            if (response.status() == NOT_FOUND) {
                throw declared.missing(request);
            }
            return part(document, response, request);
        });
    }

    private BackendReply.DocumentPart part(
            DeclaredDocument declaration, UpstreamResponse response, BackendRequest.ReadDocument request) {
        if (response.success() && response.contentType() != null && PLAIN.contains(response.contentType())) {
            return BackendReply.DocumentPart.of("", null, response.text(), request.offset(), request.maxChars());
        }
        JsonNode document = json(response).at(declaration.result());
        if (document.isTextual()) {
            return BackendReply.DocumentPart.of("", null, document.asText(), request.offset(), request.maxChars());
        }
        if (document instanceof ObjectNode object) {
            return new FieldGuesser(object, declaration.named()).part(request.offset(), request.maxChars());
        }
        throw declared.missing(request);
    }

    private static JsonNode json(UpstreamResponse response) {
        if (!response.success()) {
            throw new ToolException(response.unexplained());
        }
        return response.json();
    }
}
