package switchboard.backend.weaviate;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;

/**
 * The properties that a query returns, and their GraphQL selection: scalars by name; nested objects, coordinates and
 * phone numbers with their parts; cross-references with a fragment for each collection they may point to.
 */
final class PropertySelection {
    private final List<CollectionSchema.Property> properties;

    private PropertySelection(List<CollectionSchema.Property> properties) {
        this.properties = List.copyOf(properties);
    }

    /** Everything but cross-references and blobs. */
    static PropertySelection ordinary(CollectionSchema schema) {
        return new PropertySelection(schema.properties().values().stream()
                .filter(property ->
                        !property.reference() && !property.elementType().equals("blob"))
                .toList());
    }

    /**
     * The properties called {@code names}, or the ordinary ones for null.
     *
     * @throws switchboard.call.ToolException {@code INVALID_ARGUMENT} for a name that the collection does not have
     */
    static PropertySelection of(CollectionSchema schema, @Nullable List<String> names) {
        if (names == null) {
            return ordinary(schema);
        }
        List<CollectionSchema.Property> chosen = new ArrayList<>();
        for (String name : names) {
            CollectionSchema.Property property = schema.property(name)
                    .orElseThrow(() -> WeaviateIdentifiers.invalid("return_properties: collection "
                            + WeaviateIdentifiers.quoted(schema.name())
                            + " has no property " + WeaviateIdentifiers.quoted(name) + "; it has "
                            + WeaviateIdentifiers.listed(schema.properties().keySet()) + "."));
            if (!chosen.contains(property)) {
                chosen.add(property);
            }
        }
        return new PropertySelection(chosen);
    }

    /** The properties that are selected. */
    List<CollectionSchema.Property> properties() {
        return properties;
    }

    /** The text of the selection; {@code additional} is the selection of {@code _additional}. */
    Future<String> text(String additional, SchemaCache schemas, TenantScope tenantScope, CallContext context) {
        List<Future<String>> parts = properties.stream()
                .map(property -> property.reference()
                        ? reference(property, schemas, tenantScope, context)
                        : Future.succeededFuture(plain(property)))
                .toList();
        return Future.all(parts).map(done -> {
            StringJoiner text = new StringJoiner(" ");
            done.<String>list().stream().filter(part -> !part.isEmpty()).forEach(text::add);
            return text.add("_additional{" + additional + "}").toString();
        });
    }

    /** A property that is not a cross-reference; {@code ""} for an object without parts. */
    static String plain(CollectionSchema.Property property) {
        return switch (property.elementType()) {
            case "object" -> {
                String parts = property.nested().stream()
                        .map(PropertySelection::plain)
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(" "));
                yield parts.isEmpty() ? "" : property.name() + "{" + parts + "}";
            }
            case "geoCoordinates" -> property.name() + "{latitude longitude}";
            case "phoneNumber" ->
                property.name() + "{input internationalFormatted nationalFormatted national countryCode valid}";
            default -> property.name();
        };
    }

    /** The selection of a cross-reference. Targets that the caller may not see are left out. */
    private static Future<String> reference(
            CollectionSchema.Property property, SchemaCache schemas, TenantScope tenantScope, CallContext context) {
        List<Future<Optional<CollectionSchema>>> targets = property.targets().stream()
                .filter(WeaviateIdentifiers::isStoredCollection)
                .filter(tenantScope::mayRefer)
                .map(target -> schemas.find(target, context))
                .toList();
        return Future.all(targets).map(done -> {
            String fragments = done.<Optional<CollectionSchema>>list().stream()
                    .flatMap(Optional::stream)
                    .filter(tenantScope::mayFollow)
                    .map(PropertySelection::fragment)
                    .collect(Collectors.joining(" "));
            return fragments.isEmpty() ? "" : property.name() + "{" + fragments + "}";
        });
    }

    private static String fragment(CollectionSchema target) {
        StringJoiner parts = new StringJoiner(" ", "... on " + target.name() + "{", "}");
        ordinary(target).properties.stream()
                .map(PropertySelection::plain)
                .filter(part -> !part.isEmpty())
                .forEach(parts::add);
        return parts.add("_additional{id}").toString();
    }
}
