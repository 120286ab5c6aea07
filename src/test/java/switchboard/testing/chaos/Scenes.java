package switchboard.testing.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import switchboard.call.Json;

/**
 * Every tool of every backend in a scene that leaves as much behind as it found. Agentroot's own are in {@link
 * KnowledgeScene}.
 */
final class Scenes {
    private static final int SOURCES = 8;

    private final Engines engines;

    Scenes(Engines engines) {
        this.engines = engines;
    }

    /** The scenes by backend; {@code switchboard} is what the gateway makes of all of them. */
    Map<String, Scene> all() {
        Map<String, Scene> all = new LinkedHashMap<>();
        all.put("vectordb", this::vectordb);
        all.put("agentroot", new KnowledgeScene(engines));
        all.put("weaviate", this::weaviate);
        all.put("meilisearch", this::meilisearch);
        all.put("postgres", Scenes::postgres);
        all.put("upstream", Scenes::upstream);
        all.put("switchboard", Scenes::switchboard);
        return all;
    }

    static String text(int turn) {
        return Engines.TEXTS.get(Math.floorMod(turn, Engines.TEXTS.size()));
    }

    private void vectordb(Cast cast, int turn) {
        String source = cast.number() + "-" + turn % SOURCES;
        JsonNode made = cast.call(
                        "ingest_text",
                        Json.object()
                                .put("content", text(turn))
                                .put("source", source)
                                .put("library", "load"))
                .structured();
        cast.call("vectordb__search", Json.object().put("query", text(turn + 7)));
        cast.call("list_documents", "{'library': 'load', 'limit': 5}");
        cast.call("list_libraries", "{}");
        if (made.has("doc_id")) {
            cast.call(
                    "get_document",
                    Json.object().put("doc_id", made.path("doc_id").asText()));
        }
        cast.call(
                "ingest_file",
                Json.object()
                        .put(
                                "path",
                                engines.notes()
                                        .resolve("piers/note" + turn % 8 + ".md")
                                        .toString())
                        .put("library", "files"));
        cast.call("ingest_url", Json.object().put("url", engines.page()).put("library", "pages"));
        if (made.has("doc_id") && turn % 2 == 0) {
            cast.call(
                    "delete_document",
                    Json.object().put("doc_id", made.path("doc_id").asText()));
        }
    }

    private void weaviate(Cast cast, int turn) {
        String notes = "'collection_name': '" + engines.collection() + "'";
        cast.call("weaviate-collections-get-config", "{" + notes + "}");
        cast.expect("INVALID_ARGUMENT", "weaviate-tenants-list", "{" + notes + "}");
        cast.call("weaviate-objects-get", "{" + notes + ", 'limit': 5}");
        cast.call("weaviate-query-hybrid", "{" + notes + ", 'limit': 5, 'query': '" + text(turn) + "'}");
        cast.call(
                "weaviate-objects-upsert",
                "{%s, 'objects': [{'uuid': '00000000-0000-4000-9000-%012d', 'properties': {'text': '%s', 'url': 'u'}}]}"
                        .formatted(notes, turn % SOURCES, text(turn)));
        cast.call(
                "weaviate-objects-delete",
                "{" + notes + ", 'dry_run': true, 'where': {'path': ['url'], 'operator': 'Equal', 'valueText': 'u'}}");
        cast.expect("CONFLICT", "weaviate-collections-create", "{" + notes + "}");
        cast.call("weaviate-logs-fetch", "{'limit': 100}");
    }

    private void meilisearch(Cast cast, int turn) {
        cast.call("meilisearch_list_indexes", "{}");
        cast.call("meilisearch_get_index_info", Json.object().put("indexUid", engines.index()));
        cast.call(
                "meilisearch_search",
                Json.object().put("indexUid", engines.index()).put("q", text(turn)));
        ObjectNode hybrid = Json.object().put("indexUid", engines.index()).put("q", text(turn));
        hybrid.putObject("hybrid").put("embedder", "own");
        cast.call("meilisearch_search", hybrid);
    }

    private static void postgres(Cast cast, int turn) {
        cast.call("query_database", "{'query': 'SELECT id, text FROM notes WHERE id < 5 ORDER BY id'}");
        cast.call("get_schema_info", "{'vector_tables_only': true}");
        cast.call("search_similar", Json.object().put("text_query", text(turn)));
        cast.call(
                "semantic_search",
                Json.object()
                        .put("table_name", "notes")
                        .put("vector_column", "embedding")
                        .put("text_query", text(turn)));
        cast.call("generate_embedding", Json.object().put("text", text(turn)));
        cast.call("read_resource", "{'uri': 'pg://system_info'}");
    }

    private static void upstream(Cast cast, int turn) {
        cast.call("upstream__test_simple_text", "{}");
        cast.call("upstream__test_multiple_content_types", "{}");
        cast.call("upstream__test_tool_with_progress", "{}");
        cast.call("upstream__json_schema_2020_12_tool", "{'name': 'n" + turn % SOURCES + "'}");
    }

    private static void switchboard(Cast cast, int turn) {
        JsonNode hits = cast.call(
                        "search_everywhere",
                        Json.object().put("query", text(turn)).put("deadline_ms", 20_000))
                .structured()
                .path("results");
        cast.call("list_sources", "{}");
        cast.call("find_tools", "{'task': 'find notes about a harbour'}");
        cast.call("call_tool", "{'name': 'status', 'arguments': {}}");
        for (JsonNode hit : hits) {
            String address = hit.path("address").asText();
            // Collections that others add and remove may be gone between the search and the fetch.
            if (address.startsWith("switchboard://agentroot/notes/")
                    || address.startsWith("switchboard://vectordb/files/")) {
                cast.call("fetch_document", Json.object().put("address", address));
                return;
            }
        }
    }
}
