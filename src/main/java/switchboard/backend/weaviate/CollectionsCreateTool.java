package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamRequest;

/** {@code weaviate-collections-create}. */
record CollectionsCreateTool(WeaviateApi api, SchemaCache schemas) implements ToolHandler<CollectionsCreateTool.Args> {
    record Args(
            String collection_name,
            @Nullable String description,
            List<ObjectNode> properties,
            @Nullable ObjectNode invertedIndexConfig,
            @Nullable ObjectNode vectorConfig,
            @Nullable ObjectNode multiTenancyConfig) {}

    @Override
    public String name() {
        return "weaviate-collections-create";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        TenantScope tenantScope = TenantScope.of(context.caller());
        String collection = tenantScope.collection(args.collection_name());
        ObjectNode definition = definition(collection, args, tenantScope);
        UnicodeValidation.require(definition);
        return api.call(UpstreamRequest.post("/v1/schema", definition), context).map(stored -> {
            schemas.forget(collection);
            ObjectNode result = Json.object();
            result.put("collection_name", stored.path("class").asText(collection));
            return ToolReply.ok(result);
        });
    }

    private static ObjectNode definition(String collection, Args args, TenantScope tenantScope) {
        ObjectNode definition = Json.object().put("class", collection);
        if (args.description() != null) {
            definition.put("description", args.description());
        }
        if (!args.properties().isEmpty()) {
            ArrayNode properties = definition.putArray("properties");
            args.properties().forEach(property -> properties.add(property(property, tenantScope)));
        }
        if (args.invertedIndexConfig() != null) {
            definition.set("invertedIndexConfig", args.invertedIndexConfig());
        }
        if (args.vectorConfig() != null) {
            definition.set("vectorConfig", vectors(args.vectorConfig()));
        }
        ObjectNode tenancy = args.multiTenancyConfig();
        if (tenancy != null) {
            definition.set("multiTenancyConfig", tenancy);
        }
        if (tenantScope.boundTenant() != null
                && (tenancy == null || !tenancy.path("enabled").asBoolean())) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "This team is bound to a tenant: it can only create collections with multiTenancyConfig"
                            + " {\"enabled\": true}.");
        }
        return definition;
    }

    /** Weaviate takes {@code dataType} as an array only; a cross-reference names a collection that must be visible. */
    private static ObjectNode property(ObjectNode given, TenantScope tenantScope) {
        String name = given.path("name").asText();
        if (!WeaviateIdentifiers.isProperty(name)) {
            throw WeaviateIdentifiers.invalid(WeaviateIdentifiers.quoted(name)
                    + " is not a valid property name: it must be a letter or _, then letters, digits and _, at most"
                    + " 231.");
        }
        ObjectNode property = given.deepCopy();
        JsonNode dataType = given.path("dataType");
        if (dataType.isTextual()) {
            property.putArray("dataType").add(dataType);
        }
        for (JsonNode type : property.path("dataType")) {
            if (!type.asText().isEmpty() && Character.isUpperCase(type.asText().charAt(0))) {
                tenantScope.collection(type.asText());
            }
        }
        return property;
    }

    /** Weaviate takes a vectorizer as an object whose one key is the module. */
    private static ObjectNode vectors(ObjectNode given) {
        ObjectNode vectors = Json.object();
        for (Map.Entry<String, JsonNode> entry : given.properties()) {
            if (!WeaviateIdentifiers.isVector(entry.getKey())) {
                throw WeaviateIdentifiers.invalid(WeaviateIdentifiers.quoted(entry.getKey())
                        + " is not a valid vector name: it must be a letter or _, then letters, digits and _, at most"
                        + " 230.");
            }
            ObjectNode vector = entry.getValue().deepCopy();
            JsonNode vectorizer = vector.path("vectorizer");
            if (vectorizer.isMissingNode() || vectorizer.isNull()) {
                throw WeaviateIdentifiers.invalid("vectorConfig." + entry.getKey()
                        + " needs a vectorizer, such as \"none\" or {\"text2vec-transformers\": {}}.");
            }
            if (vectorizer.isTextual()) {
                vector.putObject("vectorizer").putObject(vectorizer.asText());
            }
            vectors.set(entry.getKey(), vector);
        }
        return vectors;
    }
}
