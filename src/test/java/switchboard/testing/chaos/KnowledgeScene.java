package switchboard.testing.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import switchboard.call.Json;

/** The twenty-nine tools of agentroot, in one session of its own. */
final class KnowledgeScene implements Scene {
    private final Engines engines;

    KnowledgeScene(Engines engines) {
        this.engines = engines;
    }

    @Override
    public void play(Cast cast, int turn) {
        String session =
                cast.call("session_start", "{}").structured().path("session_id").asText();
        searches(cast, turn, session);
        reads(cast, turn);
        chunks(cast, turn);
        memories(cast, turn, session);
        if (turn % 4 == 0) {
            collection(cast);
        }
        if (!session.isEmpty()) {
            String arguments = "{'session_id': '" + session + "'";
            cast.call("session_set", arguments + ", 'key': 'k', 'value': 'v'}");
            cast.call("session_get", arguments + "}");
            cast.call("session_end", arguments + "}");
        }
    }

    private static void searches(Cast cast, int turn, String session) {
        for (String tool : List.of("agentroot__search", "vsearch", "query", "smart_search", "explore")) {
            ObjectNode arguments = Json.object().put("query", Scenes.text(turn)).put("limit", 5);
            cast.call(tool, session.isEmpty() ? arguments : arguments.put("session_id", session));
        }
        cast.call("batch_search", "{'queries': [{'query': 'lantern'}, {'query': 'tide'}]}");
        cast.call("search_directories", "{'query': 'piers'}");
        cast.call("metadata_query", "{'field': 'turn', 'operator': 'exists'}");
    }

    private static void reads(Cast cast, int turn) {
        String file = "notes/piers/note" + Math.floorMod(turn, Engines.TEXTS.size()) + ".md";
        cast.call("status", "{}");
        cast.call("get", "{'file': '" + file + "'}");
        cast.call("multi_get", "{'pattern': 'notes/piers/note1*.md'}");
        cast.call("browse_directory", "{'collection': 'notes'}");
        cast.call("metadata_add", "{'docid': '" + file + "', 'metadata': {'turn': " + turn % 10 + "}}");
        cast.call("metadata_get", "{'docid': '" + file + "'}");
    }

    private static void chunks(Cast cast, int turn) {
        JsonNode hits = cast.call(
                        "search_chunks",
                        Json.object().put("query", Scenes.text(turn)).put("limit", 1))
                .structured()
                .path("results");
        String hash = hits.path(0).path("chunk_hash").asText();
        if (!hash.isEmpty()) {
            cast.call("get_chunk", "{'chunk_hash': '" + hash + "'}");
            cast.expect("NOT_FOUND", "navigate_chunks", "{'chunk_hash': '" + hash + "', 'direction': 'next'}");
        }
    }

    private static void memories(Cast cast, int turn, String session) {
        String id = cast.call(
                        "memory_store",
                        Json.object()
                                .put("content", Scenes.text(turn) + " Remembered by " + cast.number() + ".")
                                .put("category", "fact"))
                .structured()
                .path("id")
                .asText();
        cast.call("memory_search", "{'query': 'lantern'}");
        cast.call("memory_list", "{'limit': 5}");
        if (!session.isEmpty()) {
            // There is no language model here, which the tool says.
            cast.expect("UNAVAILABLE", "memory_extract", "{'sessionId': '" + session + "'}");
        }
        if (!id.isEmpty()) {
            cast.expect("NOT_FOUND", "memory_delete", "{'id': '" + id + "'}");
        }
    }

    private void collection(Cast cast) {
        String name = "own" + cast.number();
        cast.expect(
                "CONFLICT",
                "collection_add",
                "{'name': '" + name + "', 'path': '" + engines.notes().resolve("piers") + "', 'pattern': 'note1.md'}");
        cast.call("collection_update", "{'name': '" + name + "'}");
        cast.call("collection_remove", "{'name': '" + name + "'}");
    }
}
