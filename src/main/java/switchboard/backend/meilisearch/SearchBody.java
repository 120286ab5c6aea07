package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * Bodies of search requests. They contain requested fields only, because the engine refuses {@code null} and unknown
 * fields.
 */
final class SearchBody {
    private SearchBody() {}

    /**
     * The search for {@code args}.
     *
     * @param vector the query's vector, or null
     * @param teamFilter a filter that all hits must match in addition, or null
     */
    static ObjectNode of(SearchTool.Args args, @Nullable JsonNode vector, @Nullable String teamFilter) {
        ObjectNode body = Json.object();
        put(body, "q", args.q() == null ? null : body.textNode(args.q()));
        put(body, "vector", vector);
        SearchTool.Hybrid hybrid = args.hybrid();
        if (hybrid != null) {
            ObjectNode node = body.putObject("hybrid").put("embedder", hybrid.embedder());
            if (hybrid.semanticRatio() != null) {
                node.put("semanticRatio", hybrid.semanticRatio());
            }
        }
        put(body, "filter", filter(args.filter(), teamFilter));
        put(body, "sort", args.sort());
        put(body, "facets", args.facets());
        put(body, "distinct", args.distinct() == null ? null : body.textNode(args.distinct()));
        if (args.paged()) {
            put(body, "page", args.page() == null ? null : body.numberNode(args.page()));
            put(body, "hitsPerPage", args.hitsPerPage() == null ? null : body.numberNode(args.hitsPerPage()));
        } else {
            body.put("limit", args.most()).put("offset", args.skipped());
        }
        put(body, "attributesToSearchOn", args.attributesToSearchOn());
        put(body, "attributesToRetrieve", args.attributesToRetrieve());
        put(body, "attributesToHighlight", args.attributesToHighlight());
        if (args.showRankingScore()) {
            body.put("showRankingScore", true);
        }
        put(body, "rankingScoreThreshold", args.rankingScoreThreshold());
        return body;
    }

    /** A search for no hits, which only counts. */
    static ObjectNode nothing(@Nullable String teamFilter) {
        ObjectNode body = Json.object().put("q", "").put("limit", 0);
        put(body, "filter", filter(null, teamFilter));
        return body;
    }

    /**
     * Combines both filters. The engine parses each entry of an array separately and requires all of them, so the
     * caller's text can't end the team's expression or turn it into an alternative.
     */
    private static @Nullable JsonNode filter(@Nullable JsonNode own, @Nullable String teamFilter) {
        if (teamFilter == null) {
            return own;
        }
        ArrayNode both = Json.array().add(teamFilter);
        if (own != null && own.isArray()) {
            both.addAll((ArrayNode) own);
        } else if (own != null && !own.asText().isBlank()) {
            both.add(own);
        }
        return both;
    }

    private static void put(ObjectNode body, String name, @Nullable JsonNode value) {
        if (value != null) {
            body.set(name, value);
        }
    }
}
