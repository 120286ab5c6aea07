package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.testing.Eventually;
import switchboard.testing.ToolResult;

/** What the shared database refuses, loses or has changed meanwhile. */
@Tag("engines")
class SharedFaultsTest extends AgentrootFixture {
    private static final String AWAY = "53200";
    private static final String TOO_LARGE = "54000";

    @RegisterExtension
    static final SharedNodes NODES = new SharedNodes();

    @Override
    SharedNodes nodes() {
        return NODES;
    }

    @AfterEach
    void well() {
        NODES.sql("DROP TRIGGER IF EXISTS fault ON shared.document");
        NODES.sql("DROP TRIGGER IF EXISTS fault ON shared.search_session");
        NODES.sql("ALTER TABLE IF EXISTS shared.library_away RENAME TO library");
    }

    /** From now on what {@code event} names fails with a state of the server. */
    private static void fails(String event, String table, String when, String state) {
        NODES.sql("CREATE OR REPLACE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '" + state + "'; END $$");
        NODES.sql("CREATE OR REPLACE TRIGGER fault BEFORE " + event + " ON shared." + table + " FOR EACH ROW " + when
                + " EXECUTE FUNCTION fault()");
    }

    @Test
    void anUpdateThatIsCutOffAtItsEndTellsWhatItHasDone() throws IOException {
        write("a.md", "heron");
        write("b.md", "egret");
        index("docs");
        Files.delete(folder.resolve("b.md"));
        write("c.md", "rail");
        fails("DELETE", "document", "", AWAY);
        JsonNode cut = update("docs");
        assertEquals(1, cut.path("added").asInt(), cut::toString);
        assertEquals(0, cut.path("removed").asInt(), cut::toString);
        assertFalse(cut.path("complete").asBoolean(true), cut::toString);
        assertTrue(cut.path("stopped").asText().startsWith("What is counted here was done"), cut::toString);
        assertTrue(cut.path("stopped").asText().contains("can't be reached"), cut::toString);
        well();
        JsonNode whole = update("docs");
        assertEquals(1, whole.path("removed").asInt(), whole::toString);
        assertTrue(whole.path("complete").asBoolean(), whole::toString);
        assertFalse(whole.has("stopped"), whole::toString);
    }

    /** What is stored of what can't be read is narrowed before the first document is. */
    @Test
    void soDoesOneThatIsCutOffAtItsBeginning() throws IOException {
        write("kb/a.md", "heron");
        write("volume/b.md", "egret");
        Files.createSymbolicLink(folder.resolve("kb/vol"), folder.resolve("volume"));
        index("docs", folder.resolve("kb"), "**/*.md");
        Files.move(folder.resolve("volume"), temp.resolve("away"));
        write("kb/.allow.yaml", "allow: ['user:ann']\n");
        fails("UPDATE", "document", "", AWAY);
        JsonNode cut = update("docs");
        assertFalse(cut.path("complete").asBoolean(true), cut::toString);
        assertTrue(cut.path("stopped").asText().startsWith("The database"), cut::toString);
        assertEquals(1, cut.path("remaining").asInt(), cut::toString);
        well();
        assertTrue(update("docs").path("complete").asBoolean());
    }

    @Test
    void aDocumentThatTheDatabaseRefusesDoesNotStopTheOthers() throws IOException {
        for (String name : List.of("a", "b", "c", "d")) {
            write(name + ".md", "heron " + name);
        }
        fails("INSERT", "document", "WHEN (NEW.key = sha256('b.md'::bytea))", TOO_LARGE);
        JsonNode report = index("docs");
        assertEquals(3, report.path("added").asInt(), report::toString);
        assertEquals(List.of("b.md"), texts(report.path("skipped"), "path"));
        assertTrue(
                report.path("skipped").path(0).path("reason").asText().contains("refused this change"),
                report::toString);
        assertTrue(report.path("complete").asBoolean(), report::toString);
        well();
        assertEquals(1, update("docs").path("added").asInt());
    }

    /** As if another gateway had changed something that this one's files do not get in time. */
    private static void late(String library) {
        NODES.sql("UPDATE shared.library SET position = position + 1, operation = gen_random_uuid(), changed = now(),"
                + " touched = pg_current_xact_id() WHERE live AND name = '" + library + "'");
    }

    @Test
    void definitionsAreNotChangedByWhatLateFilesSay() throws IOException {
        write("a.md", "heron");
        index("docs");
        late("#collections");
        String before = NODES.sql("SELECT position FROM shared.library WHERE live ORDER BY name");
        for (String call : List.of("collection_add", "collection_update", "collection_remove")) {
            for (String name : List.of("docs", "other")) {
                String arguments = call.equals("collection_add")
                        ? "{'name':'" + name + "','path':'" + folder + "','allow':['group:hr']}"
                        : "{'name':'" + name + "'}";
                ToolResult refused = call(call, arguments);
                assertEquals("UNAVAILABLE", refused.errorKind(), () -> call + " " + name + ": " + refused);
            }
        }
        assertEquals(before, NODES.sql("SELECT position FROM shared.library WHERE live ORDER BY name"));
    }

    /** The update has replaced the document and is not committed yet when the other gateway has found the old version. */
    @Test
    void metadataOfADocumentThatIsReplacedMeanwhileIsAdded() throws Exception {
        write("a.md", "heron");
        index("docs");
        write("a.md", "heron, changed");
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            Future<?> blocked = threads.submit(
                    () -> NODES.sql("BEGIN; SELECT 1 FROM shared.library WHERE live AND name = 'docs' FOR UPDATE;"
                            + " SELECT pg_sleep(3); COMMIT"));
            waitsFor(
                    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3)%' AND wait_event = 'PgSleep'",
                    "1");
            Future<JsonNode> update = threads.submit(() -> update("docs"));
            waitsFor("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'", "1");
            Future<ToolResult> added =
                    threads.submit(() -> call("metadata_add", "{'docid':'docs/a.md','metadata':{'author':'Ada'}}"));
            waitsFor("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'", "2");
            blocked.get(30, TimeUnit.SECONDS);
            assertEquals(1, update.get(30, TimeUnit.SECONDS).path("changed").asInt());
            ok(added.get(30, TimeUnit.SECONDS));
        }
        for (int i = 0; i < 2; i++) {
            JsonNode metadata = ok("metadata_get", "{'docid':'docs/a.md'}").path("metadata");
            assertEquals("Ada", metadata.path("author").path("value").asText(), metadata::toString);
        }
    }

    private static void waitsFor(String query, String result) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> NODES.sql(query).equals(result),
                () -> query + " gives " + NODES.sql(query));
    }

    @Test
    void searchesOfMemoriesAndFoldersSayWhatTheyCannotSee() throws IOException {
        write("birds/a.md", "heron");
        index("docs");
        ok("memory_store", "{'content':'herons are at the pond','category':'fact'}");
        for (String call : List.of("memory_search", "search_directories")) {
            for (int node = 0; node < 2; node++) {
                JsonNode found = ok(call, "{'query':'herons'}");
                assertFalse(found.path("reason").asText().contains("as of"), found::toString);
            }
        }
        NODES.sql("ALTER TABLE shared.library RENAME TO library_away");
        for (String call : List.of("memory_search", "search_directories")) {
            for (int node = 0; node < 2; node++) {
                JsonNode found = ok(call, "{'query':'herons'}");
                assertTrue(found.path("reason").asText().contains("as of"), found::toString);
            }
        }
    }

    // ---- search sessions

    @Test
    void usingASessionWritesNothingElse() {
        String id = ok("session_start", "{}").path("session_id").asText();
        ok("session_set", "{'session_id':'" + id + "','key':'topic','value':'herons'}");
        fails("UPDATE OF context, queries, seen", "search_session", "", AWAY);
        for (int node = 0; node < 2; node++) {
            assertEquals(
                    "herons",
                    ok("session_get", "{'session_id':'" + id + "'}")
                            .path("context")
                            .path("topic")
                            .asText());
        }
        fails("UPDATE OF context", "search_session", "", AWAY);
        JsonNode found = ok("search", "{'query':'herons','session_id':'" + id + "'}");
        assertEquals(0, found.path("count").asInt());
        fails("UPDATE OF queries, seen", "search_session", "", AWAY);
        ok("session_set", "{'session_id':'" + id + "','key':'more','value':'egrets'}");
        JsonNode session = ok("session_get", "{'session_id':'" + id + "'}");
        assertEquals(2, session.path("context").size());
        assertEquals(1, session.path("queries").size());
    }

    /** As after {@code maxSessions} was lowered: those with most lose most, their least recently used ones. */
    @Test
    void tooManySessionsAreTrimmedAtOnce() {
        NODES.sql(
                "INSERT INTO shared.search_session (backend, id, owner, ttl, used) SELECT 'agentroot', gen_random_uuid(),"
                        + " decode(CASE WHEN n > 19 THEN 'aa' ELSE 'bb' END, 'hex'), 60000, now() - n * interval '1 minute'"
                        + " FROM generate_series(1, 40) n");
        String id = ok("session_start", "{}").path("session_id").asText();
        ok("session_get", "{'session_id':'" + id + "'}");
        assertEquals(
                "aa 9, bb 10",
                NODES.sql(
                        "SELECT string_agg(owner || ' ' || number, ', ' ORDER BY owner) FROM (SELECT encode(owner, 'hex')"
                                + " AS owner, count(*) AS number FROM shared.search_session WHERE id <> '" + id
                                + "' GROUP BY owner) owners"));
        assertEquals(
                "t",
                NODES.sql("SELECT min(used) > now() - interval '30 minutes' FROM shared.search_session"),
                "the least recently used ones are gone");
    }
}
