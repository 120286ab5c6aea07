package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.GivenDocuments;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.embed.SourceEmbedders;

/** {@code weaviate-query-hybrid}, over GraphQL. */
final class QueryHybridTool implements ToolHandler<QueryHybridTool.Args> {
    private static final double DEFAULT_ALPHA = 0.5;
    private static final int MOST = 10_000;
    private static final Pattern BOOST = Pattern.compile("(.+?)(\\^\\d{1,4}(?:\\.\\d{1,4})?)?");

    private final WeaviateApi api;
    private final SchemaCache schemas;
    private final LargeIntegerReader integers;
    private final SourceEmbedders embedders;

    QueryHybridTool(WeaviateApi api, SchemaCache schemas, SourceEmbedders embedders) {
        this.api = api;
        this.schemas = schemas;
        this.integers = new LargeIntegerReader(api, schemas);
        this.embedders = embedders;
    }

    record Args(
            String query,
            String collection_name,
            @Nullable String tenant_name,
            @Nullable Double alpha,
            int limit,
            int offset,
            @Nullable List<String> target_vectors,
            @Nullable List<String> target_properties,
            @Nullable List<String> return_properties,
            @Nullable List<String> return_metadata,
            @Nullable ObjectNode filters,
            String fusion,
            @Nullable ArrayNode query_vector) {}

    /** A search to send, and notes for the caller. */
    private record HybridSearch(
            CollectionSchema schema,
            double alpha,
            Optional<JsonNode> vector,
            Set<ObjectMetadata> metadata,
            List<String> notes) {}

    @Override
    public String name() {
        return "weaviate-query-hybrid";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        WeaviateIdentifiers.sound("query", args.query());
        if (args.offset() + args.limit() > MOST) {
            throw WeaviateIdentifiers.invalid("offset + limit must be at most " + MOST + ".");
        }
        TenantScope tenantScope = TenantScope.of(context.caller());
        String collection = tenantScope.collection(args.collection_name());
        return schemas.with(
                collection, context, state -> search(args, state.required(collection), tenantScope, context));
    }

    /** Runs the search in a collection with the schema {@code schema}. */
    Future<ToolReply> search(Args args, CollectionSchema schema, TenantScope tenantScope, CallContext context) {
        tenantScope.requireBindings(schema);
        String tenant = tenant(tenantScope.tenant(args.tenant_name()), schema);
        PropertySelection selected = PropertySelection.of(schema, args.return_properties());
        return search(args, schema).compose(search -> selected.text(
                        ObjectMetadata.selection(search.metadata(), schema), schemas, tenantScope, context)
                .map(selection -> document(args, search, tenant, tenantScope, selection))
                .compose(document -> api.get(schema.name(), document, context))
                .map(rows -> page(args, rows))
                .compose(rows -> integers.restore(schema, tenant, selected.properties(), rows, context)
                        .map(_ -> reply(args, search, rows, context))));
    }

    /** Checks the tenant, because GraphQL's own messages for a missing or superfluous one are not understandable. */
    private static @Nullable String tenant(@Nullable String tenant, CollectionSchema schema) {
        if (tenant == null && schema.multiTenant()) {
            throw WeaviateIdentifiers.invalid("Collection " + WeaviateIdentifiers.quoted(schema.name())
                    + " has multi-tenancy enabled: say tenant_name. weaviate-tenants-list shows its tenants.");
        }
        if (tenant != null && !schema.multiTenant()) {
            throw WeaviateIdentifiers.invalid("Collection " + WeaviateIdentifiers.quoted(schema.name())
                    + " has no tenants: leave tenant_name out.");
        }
        return tenant;
    }

    private Future<HybridSearch> search(Args args, CollectionSchema schema) {
        List<String> targets = args.target_vectors() == null ? List.of() : args.target_vectors();
        requireTargets(schema, targets);
        requireSearchable(schema, args.target_properties());
        Set<ObjectMetadata> metadata = ObjectMetadata.of(
                args.return_metadata(), EnumSet.allOf(ObjectMetadata.class), Set.of(ObjectMetadata.SCORE));
        List<String> notes = new ArrayList<>();
        ObjectMetadata.NOT_IN_HYBRID.stream()
                .filter(metadata::contains)
                .map(ObjectMetadata::word)
                .sorted()
                .forEach(word -> notes.add(word + " does not exist for hybrid search; score does."));
        double wanted = alpha(args, schema, notes);
        if (wanted == 0 && args.query_vector() != null) {
            notes.add("query_vector was not used: alpha 0 is keywords only.");
        }
        if (wanted == 0 || args.query_vector() != null || schema.vectorizes(targets)) {
            Optional<JsonNode> vector = wanted == 0 ? Optional.empty() : Optional.ofNullable(args.query_vector());
            return Future.succeededFuture(new HybridSearch(schema, wanted, vector, metadata, notes));
        }
        Optional<EmbedderVectors> own = embedders.of(schema.name()).map(EmbedderVectors::new);
        if (own.isPresent()) {
            return own.get()
                    .ofQuery(args.query())
                    .map(vector -> new HybridSearch(schema, wanted, Optional.of(vector), metadata, notes));
        }
        if (args.alpha() != null) {
            throw WeaviateIdentifiers.invalid("Collection " + WeaviateIdentifiers.quoted(schema.name())
                    + " has no vectorizer and the gateway no embedder for it, so the query has no vector: give one in"
                    + " query_vector, or use alpha 0 for keyword search.");
        }
        if (!schema.hasKeywords()) {
            throw noKeywords(schema);
        }
        notes.add("Keyword search only (alpha 0): the collection has no vectorizer, so the query has no vector.");
        return Future.succeededFuture(new HybridSearch(schema, 0, Optional.empty(), metadata, notes));
    }

    /** How much vectors count: everything where there is no text that keywords can be searched in. */
    private static double alpha(Args args, CollectionSchema schema, List<String> notes) {
        Double given = args.alpha();
        if (schema.hasKeywords()) {
            return given == null ? DEFAULT_ALPHA : given;
        }
        if (given != null && given < 1) {
            throw noKeywords(schema);
        }
        if (given == null) {
            notes.add("Vector search only (alpha 1): the collection has no text that keywords can be searched in.");
        }
        return 1;
    }

    private static ToolException noKeywords(CollectionSchema schema) {
        return WeaviateIdentifiers.invalid("Collection " + WeaviateIdentifiers.quoted(schema.name())
                + " has no text that keywords can be searched in: search it with a query_vector and alpha 1, or read it"
                + " with weaviate-objects-get.");
    }

    private static void requireTargets(CollectionSchema schema, List<String> targets) {
        Set<String> named = schema.vectorizers().keySet();
        for (String target : targets) {
            if (!named.contains(target)) {
                throw WeaviateIdentifiers.invalid("target_vectors: collection "
                        + WeaviateIdentifiers.quoted(schema.name())
                        + " has no named vector " + WeaviateIdentifiers.quoted(target) + "; it has "
                        + (named.isEmpty() ? "none: leave target_vectors out" : WeaviateIdentifiers.listed(named))
                        + ".");
            }
        }
        if (targets.isEmpty() && named.size() > 1) {
            throw WeaviateIdentifiers.invalid("Collection " + WeaviateIdentifiers.quoted(schema.name())
                    + " has several named vectors: say in target_vectors which to search, of "
                    + WeaviateIdentifiers.listed(named)
                    + ".");
        }
    }

    private static void requireSearchable(CollectionSchema schema, @Nullable List<String> properties) {
        for (String given : properties == null ? List.<String>of() : properties) {
            var boosted = BOOST.matcher(given);
            boolean searchable = boosted.matches()
                    && schema.property(boosted.group(1))
                            .filter(CollectionSchema.Property::searchable)
                            .isPresent();
            if (!searchable) {
                throw WeaviateIdentifiers.invalid("target_properties: " + WeaviateIdentifiers.quoted(given)
                        + " is no property of collection "
                        + WeaviateIdentifiers.quoted(schema.name()) + " that keywords can be searched in; these are "
                        + WeaviateIdentifiers.listed(schema.properties().values().stream()
                                .filter(CollectionSchema.Property::searchable)
                                .map(CollectionSchema.Property::name)
                                .toList())
                        + ".");
            }
        }
    }

    /**
     * The GraphQL document. {@code offset} is not sent, because Weaviate pages only within its first hundred
     * candidates: as many as needed are requested and cut here.
     */
    private static ObjectNode document(
            Args args, HybridSearch search, @Nullable String tenant, TenantScope tenantScope, String selection) {
        GraphQl get = new GraphQl(search.schema().name())
                .variable("q", "String!", Json.mapper().valueToTree(args.query()))
                .variable("a", "Float", Json.mapper().valueToTree(search.alpha()))
                .argument("limit", Integer.toString(args.offset() + args.limit()));
        StringBuilder hybrid = new StringBuilder("{query:$q,alpha:$a,fusionType:").append(args.fusion());
        if (tenant != null) {
            get.variable("t", "String", Json.mapper().valueToTree(tenant)).argument("tenant", "$t");
        }
        WhereFilter wanted = args.filters() == null
                ? null
                : WhereReader.read("filters", args.filters(), Optional.of(search.schema()), tenantScope);
        tenantScope.both(wanted, search.schema()).ifPresent(get::where);
        if (args.target_properties() != null && !args.target_properties().isEmpty()) {
            get.variable("p", "[String]", Json.mapper().valueToTree(args.target_properties()));
            hybrid.append(",properties:$p");
        }
        if (args.target_vectors() != null && !args.target_vectors().isEmpty()) {
            get.variable("v", "[String]", Json.mapper().valueToTree(args.target_vectors()));
            hybrid.append(",targetVectors:$v");
        }
        if (search.vector().isPresent()) {
            get.variable("x", "[Float]", search.vector().get());
            hybrid.append(",vector:$x");
        }
        return get.argument("hybrid", hybrid.append('}').toString()).document(selection);
    }

    private static List<ObjectNode> page(Args args, JsonNode rows) {
        return IntStream.range(args.offset(), Math.min(rows.size(), args.offset() + args.limit()))
                .mapToObj(rows::get)
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast)
                .toList();
    }

    private static ToolReply reply(Args args, HybridSearch search, List<ObjectNode> rows, CallContext context) {
        ObjectNode reply = Json.object();
        ArrayNode results = reply.putArray("results");
        for (ObjectNode row : rows) {
            ObjectNode result = results.addObject();
            result.put("class", search.schema().name());
            result.put("id", row.path("_additional").path("id").asText());
            result.set("properties", PropertyValues.ofRow(row));
            result.set("additional", ObjectMetadata.tidy(row.path("_additional")));
        }
        reply.put("alpha", search.alpha());
        reply.put("fusion", args.fusion());
        if (!search.notes().isEmpty()) {
            reply.set("notes", Json.mapper().valueToTree(search.notes()));
        }
        return ToolReply.ok(reply)
                .giving(context, () -> given(args, search.schema().name(), results));
    }

    /** A search for no objects asks nothing. */
    private static GivenDocuments given(Args args, String collection, JsonNode results) {
        return args.limit() == 0
                ? GivenDocuments.NONE
                : GivenDocuments.found(new GivenDocuments.GivenSearch(
                        args.query(),
                        List.of(collection),
                        args.offset(),
                        results.valueStream()
                                .map(result -> {
                                    JsonNode score = result.at("/additional/score");
                                    return new GivenDocuments.GivenHit(
                                            ObjectsGetTool.given(collection, args.tenant_name(), result),
                                            score.isNumber() ? score.asDouble() : null,
                                            null);
                                })
                                .toList()));
    }
}
