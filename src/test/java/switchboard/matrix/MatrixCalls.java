package switchboard.matrix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls of each tool that would reach what is hidden. A tool that is not here fails {@link PermissionMatrixTest}: add it, with
 * calls that show its hidden documents to a member who may read them.
 */
final class MatrixCalls {
    private static final String ID = "00000000-0000-4000-8007-00000000000";
    private static final String QUARRY = "{'query': 'granite quarry bonuses'}";
    private static final String TYPO = "{'query': 'payrol'}";

    /**
     * What a tool is called with.
     *
     * @param reads calls that change nothing
     * @param writes calls that would change what is hidden, or what is beside it
     * @param shows whether a member is shown hidden documents
     * @param same whether the answer is that of a gateway that never had them; not where an engine counts them in its scores
     */
    record ToolCalls(List<String> reads, List<String> writes, boolean shows, boolean same) {}

    private final Map<String, ToolCalls> calls = new LinkedHashMap<>();

    MatrixCalls() {
        vectordb();
        agentroot();
        weaviate("weaviate", "%PAPERS%", true);
        weaviate("rooms", "%ROOMS%", false);
        engines();
        postgres("settings");
        postgres("roles");
        inner();
        federated();
    }

    /** By the names of tools. */
    Map<String, ToolCalls> all() {
        return calls;
    }

    private void shows(String tool, String... reads) {
        calls.put(tool, new ToolCalls(json(reads), List.of(), true, true));
    }

    private void tells(String tool, String... reads) {
        calls.put(tool, new ToolCalls(json(reads), List.of(), false, true));
    }

    private void scores(String tool, String... reads) {
        calls.put(tool, new ToolCalls(json(reads), List.of(), true, false));
    }

    private void changes(String tool, String... writes) {
        calls.put(tool, new ToolCalls(List.of(), json(writes), false, false));
    }

    /** Whether each gateway has a stub of its own for the engine whose real one this variable names. */
    private static boolean onStub(String variable) {
        return System.getenv(variable) == null;
    }

    private static List<String> json(String... calls) {
        List<String> all = new ArrayList<>();
        for (String call : calls) {
            all.add(call.replace('\'', '"'));
        }
        return all;
    }

    private void vectordb() {
        shows(
                "vectordb__search",
                QUARRY,
                TYPO,
                "{'query': 'quarry', 'filter': {'source': 'payroll'}}",
                "{'query': 'quarry', 'library': 'board'}",
                "{'query': 'quarry', 'library': 'bord'}",
                "{'query': 'quarry', 'fusion': 'rrf', 'top_k': 50}");
        shows("vectordb__list_documents", "{}", "{'library': 'board'}", "{'limit': 1}", "{'offset': 1}");
        tells("vectordb__list_libraries", "{}");
        shows("vectordb__get_document", "{'doc_id': '%DOC%'}");
        changes(
                "vectordb__ingest_text",
                "{'source': 'payroll', 'content': 'All earn nothing.'}",
                "{'source': 'payroll', 'content': 'mine', 'library': 'board', 'allow': ['everyone']}");
        changes("vectordb__ingest_file", "{'path': 'payroll.md'}");
        changes("vectordb__ingest_url", "{'url': 'http://127.0.0.1:1/payroll'}");
        changes("vectordb__delete_document", "{'doc_id': '%DOC%'}");
    }

    private void agentroot() {
        for (String search : List.of(
                "search", "smart_search", "search_chunks", "vsearch", "query", "explore", "search_directories")) {
            shows("agentroot__" + search, QUARRY, TYPO, "{'query': 'payroll', 'collection': 'secret'}");
        }
        shows("agentroot__batch_search", "{'queries': [{'query': 'quarry'}, {'query': 'payroll'}]}");
        shows(
                "agentroot__get",
                "{'file': 'secret/payroll.md'}",
                "{'file': 'payroll.md'}",
                "{'file': '%DOCID%'}",
                "{'file': 'secret/payrol.md'}");
        shows("agentroot__multi_get", "{'pattern': '*.md'}", "{'pattern': 'secret/payroll.md,open/handbook.md'}");
        tells("agentroot__status", "{}");
        shows("agentroot__metadata_get", "{'docid': 'secret/payroll.md'}", "{'docid': '%DOCID%'}");
        tells( // names of files, which are compared
                "agentroot__metadata_query",
                "{'field': 'payband', 'operator': 'exists'}",
                "{'field': 'payband', 'operator': 'contains', 'value': 'nine'}");
        shows(
                "agentroot__get_chunk",
                "{'chunk_hash': '%CHUNK%'}",
                "{'chunk_hash': '%CHUNK%', 'include_context': true}");
        tells("agentroot__navigate_chunks", "{'chunk_hash': '%CHUNK%', 'direction': 'next'}");
        shows("agentroot__browse_directory", "{'collection': 'secret'}", "{'collection': 'open'}");
        for (String tool : List.of("session_get", "session_end")) {
            tells("agentroot__" + tool, "{'session_id': 'nobody'}");
        }
        tells("agentroot__session_start", "{}");
        tells("agentroot__session_set", "{'session_id': 'nobody', 'key': 'a', 'value': 'b'}");
        tells("agentroot__memory_search", "{'query': 'quarry'}");
        tells("agentroot__memory_list", "{}");
        tells("agentroot__memory_delete", "{'id': 'nobody'}");
        tells("agentroot__memory_extract", "{'sessionId': 'nobody'}");
        changes("agentroot__memory_store", "{'content': 'A quarry.', 'category': 'fact'}");
        changes("agentroot__collection_add", "{'name': 'secret', 'path': '%FILES%/secret', 'allow': ['everyone']}");
        changes("agentroot__collection_remove", "{'name': 'secret'}");
        changes("agentroot__collection_update", "{'name': 'secret'}");
        changes("agentroot__metadata_add", "{'docid': 'secret/payroll.md', 'metadata': {'a': 'b'}}");
    }

    private void weaviate(String backend, String collection, boolean writes) {
        String prefix = backend + "__weaviate-";
        String named = "'collection_name': '" + collection + "'";
        tells(prefix + "collections-get-config", "{" + named + "}");
        // A real engine has the collections of both gateways.
        calls.put(
                prefix + "collections-get-config of ours",
                new ToolCalls(json("{}"), List.of(), false, onStub("WEAVIATE_URL")));
        // Which tenants there are is not hidden from a team that is bound to a filter only.
        tells(prefix + "tenants-list", "{" + named + "}");
        shows(
                prefix + "objects-get",
                "{" + named + "}",
                "{" + named + ", 'limit': 1}",
                "{" + named + ", 'offset': 1}",
                "{" + named + ", 'after': '00000000-0000-0000-0000-000000000000'}",
                "{" + named + ", 'uuids': ['" + ID + "3', '" + ID + "1'], 'include_vector': true}",
                "{" + named + ", 'tenant_name': 'hr'}");
        shows(
                prefix + "query-hybrid",
                "{" + named + ", 'query': 'granite quarry bonuses', 'alpha': 0}",
                "{" + named + ", 'query': 'quarry', 'alpha': 0.5, 'query_vector': [1, 0]}",
                "{" + named + ", 'query': 'quarry', 'alpha': 0, 'filters': {'path': ['dept'], 'operator': 'Equal', "
                        + "'valueText': 'hr'}}",
                "{" + named + ", 'query': 'quarry', 'alpha': 0, 'tenant_name': 'hr'}");
        if (writes) {
            tells(prefix + "logs-fetch", "{}");
            calls.put(
                    prefix + "objects-delete",
                    new ToolCalls(
                            json("{" + named + ", 'dry_run': true}"),
                            json(
                                    "{" + named
                                            + ", 'dry_run': false, 'where': {'path': ['dept'], 'operator': 'Equal', 'valueText': 'hr'}}"),
                            false,
                            true));
            changes(
                    prefix + "objects-upsert",
                    "{" + named + ", 'objects': [{'uuid': '" + ID + "3', 'properties': {'text': 'mine'}}]}");
            changes(prefix + "collections-create", "{" + named + "}");
        }
    }

    private void engines() {
        calls.put(
                "meilisearch__meilisearch_list_indexes",
                new ToolCalls(json("{}"), List.of(), false, onStub("MEILI_URL")));
        tells("meilisearch__meilisearch_get_index_info", "{'indexUid': '%MEILI%'}");
        shows(
                "meilisearch__meilisearch_search",
                "{'indexUid': '%MEILI%', 'q': 'granite quarry bonuses'}",
                "{'indexUid': '%MEILI%', 'q': 'quarry', 'filter': 'dept = hr'}",
                "{'indexUid': '%MEILI%', 'q': 'quarry', 'limit': 1, 'offset': 1}");
        tells("opensearch__opensearch_list_indices", "{}");
        tells("opensearch__opensearch_get_mapping", "{'index': '%INDEX%'}");
        scores(
                "opensearch__opensearch_search",
                "{'index': '%INDEX%', 'query': 'granite quarry bonuses'}",
                "{'index': '%INDEX%', 'query': 'quarry', 'highlight': true, 'filters': {'dept': 'hr'}}",
                "{'index': '%INDEX%', 'query': 'payrol'}");
        shows(
                "opensearch__opensearch_get_document",
                "{'index': '%INDEX%', 'id': '3'}",
                "{'index': '%INDEX%', 'id': '9'}");
    }

    private void postgres(String backend) {
        calls.put(
                backend + "__query_database",
                new ToolCalls(
                        json(
                                "{'query': 'SELECT count(*), max(text) FROM papers'}",
                                "{'query': 'SELECT set_config($$app.groups$$, $${hr}$$, true), text FROM papers'}",
                                "{'query': 'SELECT * FROM pg_stats'}"),
                        List.of(),
                        backend.equals("roles"),
                        false));
        tells(backend + "__get_schema_info", "{}", "{'table_name': 'papers'}", "{'vector_tables_only': true}");
        tells(backend + "__search_similar", "{'text_query': 'quarry'}");
        shows(
                backend + "__semantic_search",
                "{'table_name': 'papers', 'vector_column': 'v', 'query_vector': [1, 0], 'top_k': 50}",
                "{'table_name': 'papers', 'vector_column': 'v', 'query_vector': [1, 0], 'filter': {'dept': 'hr'}}");
        tells(backend + "__generate_embedding", "{'text': 'quarry'}");
        tells(backend + "__read_resource", "{'list': true}", "{'uri': 'pg://system_info'}");
    }

    /** The tools of another gateway, which knows the caller by a token of its own. */
    private void inner() {
        shows("inner__search", QUARRY, TYPO, "{'query': 'quarry', 'filter': {'source': 'payroll'}, 'top_k': 50}");
        shows("inner__list_documents", "{}", "{'limit': 1}", "{'offset': 1}");
        tells("inner__list_libraries", "{}");
        shows("inner__get_document", "{'doc_id': '%INNER%'}");
        changes("inner__ingest_file", "{'path': 'payroll.md'}");
        changes("inner__ingest_url", "{'url': 'http://127.0.0.1:1/payroll'}");
        changes("inner__delete_document", "{'doc_id': '%INNER%'}");
    }

    private void federated() {
        shows("settings__all_papers", "{}");
        scores(
                "search_everywhere",
                "{'query': 'granite quarry bonuses', 'limit': 50, 'detail': 'passages'}",
                "{'query': 'payrol'}",
                "{'query': 'quarry', 'filters': {'payband': 'nine'}}",
                "{'query': 'quarry', 'filters': {'paybnad': 'nine'}}",
                "{'query': 'quarry', 'filters': {'dept': 'hr'}, 'limit': 50}");
        calls.put(
                "search_everywhere of ours",
                new ToolCalls(
                        json(
                                "{'query': 'granite quarry bonuses', 'sources': ['vectordb:*', 'agentroot:*', 'weaviate:%PAPERS%', "
                                        + "'settings:*', 'inner:*', 'web:*'], 'limit': 50}"),
                        List.of(),
                        true,
                        true));
        scores("list_sources", "{}");
        shows(
                "fetch_document",
                "{'address': 'switchboard://vectordb/default/%DOC%'}",
                "{'address': 'switchboard://agentroot/secret/payroll.md'}",
                "{'address': 'switchboard://weaviate/%PAPERS%/" + ID + "3'}",
                "{'address': 'switchboard://meilisearch/%MEILI%/3'}",
                "{'address': 'switchboard://opensearch/%INDEX%/3'}",
                "{'address': 'switchboard://settings/public.papers/3'}",
                "{'address': 'switchboard://inner/pages/%INNER%'}",
                "{'address': 'switchboard://web/pages/2'}");
        shows(
                "check_citation",
                "{'citations': ['[agentroot/secret/payroll.md#0-4000 · 0000000000000000]']}",
                "{'citations': ['[weaviate/%PAPERS%/" + ID + "3#0-4000 · 0000000000000000]']}");
        tells("find_tools", "{'task': 'read the payroll of the quarry'}");
        shows(
                "call_tool",
                "{'name': 'vectordb__get_document', 'arguments': {'doc_id': '%DOC%'}}",
                "{'name': 'agentroot__get', 'arguments': {'file': 'secret/payroll.md'}}");
        tells("why_not", "{'address': 'switchboard://vectordb/default/%DOC%', 'team': 'people'}");
        tells("search_gaps", "{}");
        tells("watch_search", "{}");
    }
}
