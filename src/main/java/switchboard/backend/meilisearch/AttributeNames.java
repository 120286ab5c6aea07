package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.text.ClosestName;

/** Suggests similar attribute names if the engine refuses one that an index does not declare. */
final class AttributeNames {
    /** Where a search names attributes, by error code, and the setting that declares them. */
    private enum AttributeUse {
        FACETS("invalid_search_facets", "filterableAttributes"),
        DISTINCT("invalid_search_distinct", "filterableAttributes"),
        SEARCH_ON("invalid_search_attributes_to_search_on", "searchableAttributes");

        private final String code;
        private final String setting;

        AttributeUse(String code, String setting) {
            this.code = code;
            this.setting = setting;
        }

        private List<String> named(SearchTool.Args args) {
            return switch (this) {
                case FACETS -> texts(args.facets());
                case DISTINCT -> args.distinct() == null ? List.of() : List.of(args.distinct());
                case SEARCH_ON -> texts(args.attributesToSearchOn());
            };
        }
    }

    private final MeilisearchApi meilisearchApi;

    AttributeNames(MeilisearchApi meilisearchApi) {
        this.meilisearchApi = meilisearchApi;
    }

    /** {@code failure}, with similar names if it refuses attributes and the key may read the settings. */
    Future<ToolReply.Failed> suggest(ToolReply.Failed failure, SearchTool.Args args, CallContext context) {
        for (AttributeUse use : AttributeUse.values()) {
            if (use.code.equals(failure.code())) {
                return meilisearchApi
                        .settings(args.indexUid(), context)
                        .map(settings -> named(failure, use.named(args), texts(settings.path(use.setting))))
                        .otherwise(failure);
            }
        }
        return Future.succeededFuture(failure);
    }

    /**
     * A note for a search on attributes that no document has, if it found nothing: an index that searches all attributes
     * accepts any name. Empty for teams from which documents are hidden, and if the key may not read statistics.
     */
    Future<Optional<String>> unknown(
            SearchTool.Args args, JsonNode answer, TeamFilters teamFilters, CallContext context) {
        List<String> given = texts(args.attributesToSearchOn());
        if (given.isEmpty() || !answer.path("hits").isEmpty() || teamFilters.hideDocuments()) {
            return Future.succeededFuture(Optional.empty());
        }
        return meilisearchApi
                .stats(args.indexUid(), context)
                .map(stats -> unknown(given, fields(stats)))
                .otherwise(Optional.empty());
    }

    private static Optional<String> unknown(List<String> given, List<String> fields) {
        List<String> unknown = given.stream()
                .filter(name -> !name.contains("*") && !fields.contains(name.replaceFirst("\\..*", "")))
                .toList();
        if (unknown.isEmpty() || fields.isEmpty()) {
            return Optional.empty();
        }
        List<String> near = unknown.stream()
                .map(name -> ClosestName.of(name, fields))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
        return Optional.of("attributesToSearchOn: no document has \"" + String.join("\", \"", unknown) + "\"."
                + (near.isEmpty() ? "" : " Did you mean \"" + String.join("\", \"", near) + "\"?"));
    }

    private static List<String> fields(JsonNode stats) {
        return stats.path("fieldDistribution")
                .propertyStream()
                .map(Map.Entry::getKey)
                .toList();
    }

    private static ToolReply.Failed named(ToolReply.Failed failure, List<String> given, List<String> known) {
        List<String> near = given.stream()
                .filter(name -> !name.equals("*") && !known.contains(name))
                .map(name -> ClosestName.of(name, known))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
        return near.isEmpty() ? failure : failure.suggesting(near);
    }

    private static List<String> texts(@Nullable JsonNode names) {
        List<String> texts = new ArrayList<>();
        if (names != null) {
            names.forEach(name -> {
                if (name.isTextual()) {
                    texts.add(name.asText());
                }
                name.path("attributePatterns").forEach(pattern -> texts.add(pattern.asText()));
            });
        }
        return texts;
    }
}
