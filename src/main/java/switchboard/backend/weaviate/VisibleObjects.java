package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.Json;

/**
 * Which objects of a collection match the filter of a team. Weaviate compares, because only it knows how texts are cut into
 * words; REST, which returns values as stored, has no filters.
 *
 * @param schema of the collection
 * @param filter the team's
 */
record VisibleObjects(
        WeaviateApi api, CollectionSchema schema, @Nullable String tenant, WhereFilter filter) {
    private static final int AT_ONCE = 100;
    /** The number of objects that a server lets one search return, unless it is configured otherwise. */
    private static final int MOST = 10_000;

    private static final String BY_ID = "[{path:[\"_id\"],order:asc}]";

    /** Those of {@code uuids} that match. */
    Future<Set<String>> among(List<String> uuids, CallContext context) {
        List<List<String>> parts = new ArrayList<>();
        for (int from = 0; from < uuids.size(); from += AT_ONCE) {
            parts.add(uuids.subList(from, Math.min(uuids.size(), from + AT_ONCE)));
        }
        Set<String> visible = new HashSet<>();
        return StoredObjects.each(
                        parts,
                        part -> ids(WhereFilter.and(filter, WhereFilter.ids(part)), part.size(), context)
                                .map(found -> {
                                    visible.addAll(found);
                                    return null;
                                }),
                        context)
                .map(visible);
    }

    /**
     * UUIDs in their order.
     *
     * @param more whether there are more behind them
     */
    record Page(List<String> uuids, boolean more) {}

    /**
     * The UUIDs of a page.
     *
     * @param after the page begins behind this UUID; {@code ""} for the start
     */
    Future<Page> page(String after, int offset, int limit, CallContext context) {
        int asked = after.isEmpty() ? Math.min(MOST, offset + limit + 1) : MOST;
        return ids(filter, asked, context).map(found -> {
            List<String> rest = found.stream()
                    .filter(uuid -> uuid.compareTo(after) > 0)
                    .skip(offset)
                    .limit(limit + 1L)
                    .toList();
            if (found.size() == MOST && rest.isEmpty()) {
                throw WeaviateIdentifiers.invalid("Only the first " + MOST
                        + " objects can be paged through by a team that is bound to a filter: find others with the"
                        + " filters of weaviate-query-hybrid.");
            }
            return new Page(rest.subList(0, Math.min(limit, rest.size())), rest.size() > limit || found.size() == MOST);
        });
    }

    private Future<List<String>> ids(WhereFilter where, int limit, CallContext context) {
        GraphQl get = new GraphQl(schema.name())
                .argument("limit", Integer.toString(limit))
                .argument("sort", BY_ID)
                .where(where);
        if (tenant != null) {
            get.variable("t", "String", Json.mapper().valueToTree(tenant)).argument("tenant", "$t");
        }
        return api.get(schema.name(), get.document("_additional{id}"), context).map(rows -> {
            List<String> ids = new ArrayList<>();
            for (JsonNode row : rows) {
                ids.add(row.path("_additional").path("id").asText());
            }
            return ids;
        });
    }
}
