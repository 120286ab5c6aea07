package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;

/**
 * Restores integers that GraphQL can't represent: its integers have 32 bits, and it returns null for larger ones. A
 * row with null for an integer is read again over REST. Most rows have none, so most searches need no additional
 * request. Thread-safe.
 */
final class LargeIntegerReader {
    private final StoredObjects objects;
    private final SchemaCache schemas;

    LargeIntegerReader(WeaviateApi api, SchemaCache schemas) {
        this.objects = new StoredObjects(api);
        this.schemas = schemas;
    }

    /** Completes {@code rows}, objects of {@code schema} with the properties {@code selected}. */
    Future<Void> restore(
            CollectionSchema schema,
            @Nullable String tenant,
            List<CollectionSchema.Property> selected,
            List<ObjectNode> rows,
            CallContext context) {
        List<ObjectNode> doubtful = rows.stream()
                .filter(row -> selected.stream().anyMatch(property -> lost(property, row.path(property.name()))))
                .toList();
        return StoredObjects.each(
                doubtful,
                row -> objects.read(schema.name(), tenant, id(row), false, context)
                        .compose(found -> found.isPresent()
                                ? complete(row, found.get().path("properties"), tenant, selected, context)
                                : Future.succeededFuture()),
                context);
    }

    private static boolean lost(CollectionSchema.Property property, JsonNode value) {
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false).anyMatch(element -> lost(property, element));
        }
        if (property.reference()) {
            return value.properties().stream().anyMatch(entry -> holdsNull(entry.getValue()));
        }
        return switch (property.elementType()) {
            case "int" -> value.isNull();
            case "phoneNumber" -> value.isObject() && holdsNull(value);
            case "object" ->
                value.isObject() && property.nested().stream().anyMatch(part -> lost(part, value.path(part.name())));
            default -> false;
        };
    }

    private static boolean holdsNull(JsonNode value) {
        return value.isNull()
                || StreamSupport.stream(value.spliterator(), false).anyMatch(LargeIntegerReader::holdsNull);
    }

    private Future<Void> complete(
            ObjectNode row,
            JsonNode stored,
            @Nullable String tenant,
            List<CollectionSchema.Property> selected,
            CallContext context) {
        List<Future<Void>> followed = new ArrayList<>();
        for (CollectionSchema.Property property : selected) {
            JsonNode shown = row.path(property.name());
            JsonNode whole = stored.path(property.name());
            if (!property.reference()) {
                row.set(property.name(), filled(shown, whole));
                continue;
            }
            for (JsonNode element : shown) {
                if (element instanceof ObjectNode target && lost(property, target)) {
                    followed.add(follow(target, whole, tenant, context));
                }
            }
        }
        return Future.join(followed).mapEmpty();
    }

    /** Follows a cross-reference. Only the stored reference says in which collection its target is. */
    private Future<Void> follow(ObjectNode target, JsonNode references, @Nullable String tenant, CallContext context) {
        String id = id(target);
        Optional<String> collection = StreamSupport.stream(references.spliterator(), false)
                .flatMap(reference -> PropertyValues.target(reference, id).stream())
                .findFirst();
        if (collection.isEmpty()) {
            return Future.succeededFuture();
        }
        return schemas.find(collection.get(), context).compose(schema -> {
            boolean tenants = schema.map(CollectionSchema::multiTenant).orElse(false);
            return objects.read(collection.get(), tenants ? tenant : null, id, false, context)
                    .map(found -> {
                        found.ifPresent(object -> fill(target, object.path("properties")));
                        return null;
                    });
        });
    }

    private static void fill(ObjectNode shown, JsonNode whole) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(shown.properties())) {
            shown.set(entry.getKey(), filled(entry.getValue(), whole.path(entry.getKey())));
        }
    }

    /** {@code shown}, with nulls replaced by the values of {@code whole}. */
    private static JsonNode filled(JsonNode shown, JsonNode whole) {
        if (shown.isNull() || shown.isMissingNode()) {
            return whole.isMissingNode() ? shown : PropertyValues.exact(whole);
        }
        if (shown.isArray() && shown.size() == whole.size()) {
            ArrayNode list = ((ArrayNode) shown).arrayNode();
            for (int i = 0; i < shown.size(); i++) {
                list.add(filled(shown.get(i), whole.get(i)));
            }
            return list;
        }
        if (shown instanceof ObjectNode object && whole.isObject()) {
            fill(object, whole);
        }
        return shown;
    }

    private static String id(JsonNode row) {
        return row.path("_additional").path("id").asText();
    }
}
