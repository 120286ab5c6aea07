package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.FieldGuesser;
import switchboard.backend.QueryEmbedding;
import switchboard.backend.SearchProvider;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.RelayedReply;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.embed.Embedder;
import switchboard.embed.SourceEmbedders;

/**
 * Makes collections searchable together with sources of other backends, by hybrid search. A collection with tenants is
 * a source only for teams that are bound to one of them. A collection with several named vectors is not a source.
 */
record CollectionSearch(
        CollectionsGetConfigTool configuration,
        CollectionStatistics numbers,
        SchemaCache schemas,
        QueryHybridTool hybrid,
        ObjectsGetTool objects,
        SourceEmbedders embedders)
        implements SearchProvider {
    private static final String FUSION = "relativeScoreFusion";

    @Override
    public Future<BackendReply.Sources> sources(BackendRequest.ListSources request, CallContext context) {
        TenantScope tenantScope = TenantScope.of(context.caller());
        return configuration.all(tenantScope, context).compose(definitions -> {
            Map<CollectionSchema, String> found = new LinkedHashMap<>();
            for (JsonNode definition : definitions) {
                CollectionSchema schema = CollectionSchema.of(definition);
                if (tenantScope.suits(schema)
                        && schema.vectorizers().size() <= 1
                        && (schema.hasKeywords() || hasVectors(schema))) {
                    found.put(schema, definition.path("description").asText(""));
                }
            }
            return numbers.of(List.copyOf(found.keySet()), tenantScope, context).map(counted -> {
                List<SearchableSource> sources = new ArrayList<>();
                found.forEach((schema, description) -> sources.add(source(
                        schema,
                        description,
                        counted.getOrDefault(schema.name(), CollectionStatistics.Numbers.UNKNOWN))));
                return new BackendReply.Sources(sources);
            });
        });
    }

    @Override
    public Future<BackendReply.Passages> search(BackendRequest.SearchSource request, CallContext context) {
        SourceQuery query = request.query();
        TenantScope tenantScope = TenantScope.of(context.caller());
        String collection = tenantScope.collection(request.source());
        return schemas.with(collection, context, state -> {
            CollectionSchema schema = state.required(collection);
            FilterableProperties properties = new FilterableProperties(schema);
            properties.check(query.conditions());
            List<Condition> exact = properties.exact(query.conditions());
            return hybrid.search(
                            args(query, schema, properties.where(query.conditions())), schema, tenantScope, context)
                    .compose(reply -> queryVector(query, schema).map(vector -> passages(query, reply, exact, vector)));
        });
    }

    @Override
    public Future<BackendReply.DocumentPart> read(BackendRequest.ReadDocument request, CallContext context) {
        ObjectsGetTool.Args args = new ObjectsGetTool.Args(
                request.source(), null, List.of(request.document()), 0, 1, null, false, null, null);
        String collection = TenantScope.of(context.caller()).collection(request.source());
        return objects.call(args, context)
                .compose(reply -> schemas.readable(collection, context).map(schema -> {
                    JsonNode found = structured(reply).path("objects").path(0).path("properties");
                    if (!(found instanceof ObjectNode properties)) {
                        throw new ToolException(
                                FailureKind.NOT_FOUND,
                                "There is no object " + WeaviateIdentifiers.quoted(request.document())
                                        + " in collection " + WeaviateIdentifiers.quoted(request.source()) + ".");
                    }
                    return new FieldGuesser(withoutBlobs(properties, schema), request.named())
                            .part(request.offset(), request.maxChars());
                }));
    }

    /** The properties that a search shows, so that reading shows the same text. */
    private static ObjectNode withoutBlobs(ObjectNode properties, Optional<CollectionSchema> schema) {
        ObjectNode shown = properties.deepCopy();
        schema.ifPresent(known -> known.properties().values().stream()
                .filter(property -> property.elementType().equals("blob"))
                .forEach(property -> shown.remove(property.name())));
        return shown;
    }

    private SearchableSource source(CollectionSchema schema, String description, CollectionStatistics.Numbers numbers) {
        List<String> ways = Stream.of(schema.hasKeywords() ? "keyword" : "", hasVectors(schema) ? "vector" : "")
                .filter(way -> !way.isEmpty())
                .toList();
        return new SearchableSource(
                schema.name(),
                description.isBlank() ? "Collection of objects" : description,
                numbers.objects(),
                new FilterableProperties(schema).fields(),
                numbers.updated(),
                ways);
    }

    /** Whether a text can be searched by its meaning. */
    private boolean hasVectors(CollectionSchema schema) {
        return schema.vectorizes(List.of()) || embedder(schema).isPresent();
    }

    private QueryHybridTool.Args args(SourceQuery query, CollectionSchema schema, @Nullable ObjectNode where) {
        boolean compare = embedder(schema).isPresent();
        return new QueryHybridTool.Args(
                query.brief(),
                schema.name(),
                null,
                null,
                query.limit(),
                0,
                schema.vectorizers().isEmpty()
                        ? null
                        : List.copyOf(schema.vectorizers().keySet()),
                null,
                null,
                compare && schema.vectorizers().isEmpty() ? List.of("score", "vector") : List.of("score"),
                where,
                FUSION,
                null);
    }

    /** The gateway's embedder, if the collection has no vectorizer. */
    private Optional<Embedder> embedder(CollectionSchema schema) {
        return schema.vectorizes(List.of()) ? Optional.empty() : embedders.of(schema.name());
    }

    private Future<Optional<QueryEmbedding>> queryVector(SourceQuery query, CollectionSchema schema) {
        return QueryEmbedding.of(query.brief(), embedder(schema));
    }

    private BackendReply.Passages passages(
            SourceQuery query, ToolReply reply, List<Condition> exact, Optional<QueryEmbedding> vector) {
        ObjectNode found = structured(reply);
        List<Passage> passages = new ArrayList<>();
        for (JsonNode result : found.path("results")) {
            if (result.path("properties") instanceof ObjectNode properties) {
                FieldGuesser fields = new FieldGuesser(properties);
                if (fields.meets(exact)) {
                    passages.add(passage(result, fields, vector));
                }
            }
        }
        List<String> notes = new ArrayList<>();
        found.path("notes").forEach(note -> notes.add(note.asText()));
        return BackendReply.Passages.of(query, passages, notes.isEmpty() ? null : String.join(" ", notes));
    }

    private Passage passage(JsonNode result, FieldGuesser fields, Optional<QueryEmbedding> vector) {
        JsonNode additional = result.path("additional");
        return new Passage(
                        result.path("id").asText(),
                        fields.title(),
                        fields.url(),
                        fields.text(),
                        additional.path("score").asDouble(),
                        vector.map(query -> query.similarity(additional.path("vector")))
                                .orElse(null),
                        fields.others())
                .at(fields.place());
    }

    private static ObjectNode structured(ToolReply reply) {
        return switch (reply) {
            case ToolReply.Ok ok -> ok.structured() == null ? Json.object() : ok.structured();
            case ToolReply.Failed failed -> throw new ToolException(failed);
            case RelayedReply _ -> throw new IllegalStateException("Weaviate relays nothing");
        };
    }
}
