package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.eventbus.MessageConsumer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendEvent;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.BusAddresses;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.catalog.ToolDescriptor;
import switchboard.store.DurableFolder;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;

/** Documents of one collection that not everyone may read who sees the collection. */
class CollectionPermissionsTest extends AgentrootFixture {
    private static final String GROUPS = "groups";

    private static Caller caller(String user, String... groups) {
        return new Caller(
                "staff",
                user,
                Rights.ALL,
                ResourceScope.ALL,
                Map.of("user", user, GROUPS, "{list:groups}"),
                Map.of(GROUPS, Claim.of(List.of(groups))));
    }

    private void as(String user, String... groups) {
        backend.as(_ -> caller(user, groups));
    }

    private void asEverybody() {
        backend.as(_ -> Caller.unrestricted());
    }

    private String owner() throws IOException {
        return Files.getOwner(folder).getName();
    }

    private void mode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private Path secret(String path, String text) throws IOException {
        Path file = write(path, text);
        mode(file, "rw-------");
        return file;
    }

    private ToolResult add(String name, String provider, Path path, String config) {
        return call(
                "collection_add",
                "{'name':'" + name + "','provider':'" + provider + "','path':'" + path + "','pattern':'**/*','config':"
                        + config + "}");
    }

    private JsonNode indexed(String name, String provider, Path path, String config) {
        ok(add(name, provider, path, config));
        return update(name);
    }

    private boolean reads(String file) {
        ToolResult got = call("get", "{'file':'" + file + "'}");
        if (got.isError()) {
            assertEquals("NOT_FOUND", got.errorKind(), got.toString());
        }
        return !got.isError();
    }

    // ---- nothing tells of a hidden document

    private void files(boolean hidden) throws IOException {
        write("handbook.md", "# Handbook\n\nThe granite quarry opens at eight. Lanterns hang there.\n\n## Rest\n\nTea.");
        write("notes/map.md", "# Map\n\nA map of the quarry, with every lantern.");
        write("notes/copy.md", "# Copy\n\nThe granite quarry pays.");
        if (hidden) {
            secret("salaries.md", "# Zirconium payroll\n\nThe granite quarry pays zirconium bonuses to lanternists.");
            secret("notes/copy-of-it.md", "# Copy\n\nThe granite quarry pays.");
            secret("board/minutes/may.md", "---\nkeywords: [zirconium, quarry]\n---\n# Minutes\n\nZirconium is dear.");
            secret("notes/handbook.md", "# Handbook\n\nAnother handbook of the granite quarry.");
        }
    }

    private Map<String, List<String>> calls(String docid, String chunk, String next) {
        Map<String, List<String>> calls = new LinkedHashMap<>();
        for (String search : List.of("search", "vsearch", "query", "smart_search", "explore", "search_chunks")) {
            calls.put(
                    search,
                    List.of(
                            "{'query':'zirconium bonuses quarry'}",
                            "{'query':'zirconum'}",
                            "{'query':'granite quarry pays','detail':'L2'}",
                            "{'query':'lantern','limit':2}",
                            "{'query':'category:documentation'}"));
        }
        calls.put("search_directories", List.of("{'query':'minutes zirconium notes'}", "{'query':'handbook'}"));
        calls.put("batch_search", List.of("{'queries':[{'query':'quarry'},{'query':'zirconium'}]}"));
        calls.put("status", List.of("{}"));
        calls.put(
                "get",
                List.of(
                        "{'file':'docs/salaries.md'}",
                        "{'file':'salaries.md'}",
                        "{'file':'handbook.md'}",
                        "{'file':'" + docid + "'}"));
        calls.put(
                "multi_get",
                List.of(
                        "{'pattern':'**/*'}",
                        "{'pattern':'docs/salaries.md,docs/handbook.md," + docid + "'}",
                        "{'pattern':'docs/board/**'}"));
        calls.put("metadata_get", List.of("{'docid':'docs/salaries.md'}", "{'docid':'" + docid + "'}"));
        calls.put(
                "metadata_query",
                List.of(
                        "{'field':'payband','operator':'exists'}",
                        "{'field':'payband','operator':'eq','value':'nine'}"));
        calls.put("metadata_add", List.of("{'docid':'docs/salaries.md','metadata':{'a':'b'}}"));
        calls.put(
                "browse_directory",
                List.of(
                        "{'collection':'docs'}",
                        "{'collection':'docs','path':'notes'}",
                        "{'collection':'docs','path':'board'}",
                        "{'collection':'docs','path':'board/minutes'}"));
        calls.put("get_chunk", List.of("{'chunk_hash':'" + chunk + "','include_context':true}"));
        calls.put(
                "navigate_chunks",
                List.of(
                        "{'chunk_hash':'" + chunk + "','direction':'next'}",
                        "{'chunk_hash':'" + next + "','direction':'previous'}"));
        calls.put(
                "collection_add",
                List.of("{'name':'docs','path':'" + folder + "'}", "{'name':'doc/s','path':'" + folder + "'}"));
        calls.put("memory_store", List.of("{'content':'The quarry is old.','category':'fact'}"));
        calls.put("memory_list", List.of("{}"));
        calls.put("memory_search", List.of("{'query':'zirconium'}", "{'query':'quarry'}"));
        calls.put("memory_delete", List.of("{'id':'mem-0'}"));
        calls.put("collection_update", List.of("{'name':'docs'}", "{'name':'dcos'}"));
        return calls;
    }

    private List<String> answers(String docid, String chunk, String next) {
        List<String> answers = new ArrayList<>();
        TreeSet<String> called = new TreeSet<>(List.of("collection_remove"));
        calls(docid, chunk, next).forEach((tool, all) -> {
            called.add(tool);
            all.forEach(arguments -> answers.add(tool + arguments + ": " + call(tool, arguments)));
        });
        String session = ok("session_start", "{}").path("session_id").asText();
        String of = "{'session_id':'" + session + "'";
        for (String tool : List.of("search", "search_chunks", "search")) {
            answers.add(tool + call(tool, of + ",'query':'zirconium quarry handbook'}"));
        }
        answers.add("" + call("session_set", of + ",'key':'k','value':'v'}"));
        answers.add("" + call("session_get", of + "}"));
        answers.add("" + call("memory_extract", "{'sessionId':'" + session + "'}"));
        answers.add("" + call("session_end", of + "}"));
        called.addAll(List.of("session_start", "session_set", "session_get", "session_end", "memory_extract"));
        assertEquals(
                new TreeSet<>(BackendHarness.descriptors("agentroot").stream()
                        .map(ToolDescriptor::name)
                        .toList()),
                called,
                "every tool is asked");
        for (BackendRequest request : requests()) {
            answers.add(request + ": " + said(backend.send(request)));
        }
        return answers.stream()
                .map(answer -> answer.replace(session, "SESSION")
                        .replaceAll("20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                        .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "ID"))
                .toList();
    }

    private static List<BackendRequest> requests() {
        return List.of(
                new BackendRequest.ListResources(null),
                new BackendRequest.ListResourceTemplates(null),
                new BackendRequest.ReadResource("agentroot://docs/salaries.md"),
                new BackendRequest.ReadResource("agentroot://docs/handbook.md"),
                new BackendRequest.CompleteArgument("agentroot://docs/{+path}", "path", "", Map.of()),
                new BackendRequest.CompleteArgument("agentroot://docs/{+path}", "path", "sal", Map.of()),
                new BackendRequest.ListSources(BackendRequest.FilterFields.ALL));
    }

    private static String said(BackendReply reply) {
        return reply.toString();
    }

    /** Every tool, resource and completion answers as if the hidden documents had never been there. */
    @Test
    void noAnswerTellsOfAHiddenDocument() throws IOException {
        files(false);
        ok(add("docs", "file", folder, "{'file_permissions':true}"));
        as("eve", "it");
        JsonNode first = update("docs");
        List<String> expected = answers("#0123456789ab", "0", "1");
        assertEquals(3, first.path("added").asInt());
        ToolResult removed = call("collection_remove", "{'name':'docs'}");
        assertFalse(removed.isError(), removed.toString());
        end();
        DurableFolder.delete(temp.resolve("data"));
        backend = open(true, Duration.ofHours(1));
        files(true);
        ok(add("docs", "file", folder, "{'file_permissions':true}"));
        as("eve", "it");
        assertEquals(first.toString(), update("docs").toString(), "what an update says");
        asEverybody();
        ok("metadata_add", "{'docid':'docs/salaries.md','metadata':{'payband':'nine'}}");
        String docid = ok("get", "{'file':'docs/salaries.md'}").path("docid").asText();
        JsonNode chunks = ok("search_chunks", "{'query':'zirconium bonuses'}").path("results");
        String chunk = chunks.path(0).path("chunk_hash").asText();
        assertFalse(docid.isEmpty() || chunk.isEmpty());
        as("eve", "it");
        List<String> answers = answers(docid, chunk, chunks.path(1).path("chunk_hash").asText());
        for (int i = 0; i < expected.size(); i++) {
            String asked = expected.get(i);
            assertEquals(
                    plain(asked, "#0123456789ab", "0", "1"),
                    plain(answers.get(i), docid, chunk, chunks.path(1).path("chunk_hash").asText()));
        }
        ToolResult denied = call("collection_remove", "{'name':'docs'}");
        assertEquals("DENIED", denied.errorKind(), "the one trace");
        as(owner());
        assertTrue(reads("docs/salaries.md"));
        assertEquals(List.of("docs/salaries.md"), found("search", "zirconium bonuses").subList(0, 1));
    }

    private static String plain(String answer, String docid, String chunk, String next) {
        return answer.replace(docid, "DOCID")
                .replace("'" + chunk + "'", "'C'")
                .replace("'" + next + "'", "'N'")
                .replaceAll("Chunk not found: \\S+\\.", "Chunk not found.");
    }
}
