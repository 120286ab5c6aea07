package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import switchboard.call.Json;

/**
 * Bodies of search requests.
 *
 * @param filters queries that every hit matches: that of the caller's team, and those of its own filters
 */
record SearchBodies(List<ObjectNode> filters) {
    /** The part of the score of other fields than the best one, so that a match in several fields counts more. */
    private static final double OTHER_FIELDS = 0.3;

    private static final int CANDIDATES_FOR_EACH = 4;
    private static final int MOST_CANDIDATES = 10_000;

    SearchBodies {
        filters = List.copyOf(filters);
    }

    /**
     * A search by keywords; of all documents without {@code text}.
     *
     * @param fields the fields to search; those that the index searches by default if empty
     */
    ObjectNode byKeywords(String text, List<String> fields) {
        ObjectNode query = Json.object();
        if (text.isBlank()) {
            query.putObject("match_all");
        } else {
            ObjectNode match = query.putObject("multi_match")
                    .put("query", text)
                    .put("tie_breaker", OTHER_FIELDS)
                    .put("lenient", true);
            if (!fields.isEmpty()) {
                fields.forEach(match.putArray("fields")::add);
            }
        }
        return body(query);
    }

    /** A search for the {@code count} documents whose vectors are nearest to {@code vector}, by OpenSearch or Elasticsearch. */
    ObjectNode byVector(MappedField field, JsonNode vector, int count) {
        if (field.elasticsearchVector()) {
            ObjectNode knn = Json.object().put("field", field.name()).put("k", count);
            knn.put("num_candidates", Math.min(MOST_CANDIDATES, count * CANDIDATES_FOR_EACH));
            knn.set("query_vector", vector);
            knn.set("filter", filtered(Json.object()));
            ObjectNode body = Json.object().put("size", count);
            body.set("knn", knn);
            return body;
        }
        ObjectNode query = Json.object();
        ObjectNode knn = query.putObject("knn").putObject(field.name()).put("k", count);
        knn.set("vector", vector);
        if (!filters.isEmpty()) {
            knn.set("filter", filtered(Json.object()));
        }
        // Once more outside: an engine that ignored the filter inside would show what the team may not see.
        return body(query).put("size", count);
    }

    /** The documents {@code id}: an alias may have several indices with one. */
    ObjectNode byId(String id) {
        ObjectNode query = Json.object();
        query.putObject("ids").putArray("values").add(id);
        return body(query).put("size", 2);
    }

    /** The documents {@code ids}, in any order; an alias may have several of one id. */
    ObjectNode byIds(List<String> ids) {
        ObjectNode query = Json.object();
        ids.forEach(query.putObject("ids").putArray("values")::add);
        return body(query).put("size", Math.min(MOST_CANDIDATES, ids.size() * CANDIDATES_FOR_EACH));
    }

    /** A search for no hits, which counts exactly. */
    ObjectNode counting() {
        ObjectNode query = Json.object();
        query.putObject("match_all");
        return body(query).put("size", 0).put("track_total_hits", true);
    }

    private ObjectNode body(ObjectNode query) {
        ObjectNode must = Json.object();
        must.putArray("must").add(query);
        ObjectNode body = Json.object();
        body.set("query", filtered(must));
        return body;
    }

    /** A query for what matches {@code clauses} and the filters. */
    private ObjectNode filtered(ObjectNode clauses) {
        filters.forEach(clauses.withArrayProperty("filter")::add);
        ObjectNode query = Json.object();
        query.set("bool", clauses);
        return query;
    }
}
