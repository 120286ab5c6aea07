package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.eventbus.MessageConsumer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendEvent;
import switchboard.call.BackendRequest;
import switchboard.call.BusAddresses;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.catalog.ToolDescriptor;
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
                Map.of(GROUPS, Claim.of(groups.length == 0 ? List.of("none") : List.of(groups))));
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

    @Override
    Path write(String path, String text) throws IOException {
        Path file = super.write(path, text);
        return Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-31T12:00:00Z")));
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
        write(
                "handbook.md",
                "# Handbook\n\nThe granite quarry opens at eight. Lanterns hang there.\n\n## Rest\n\nTea.");
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
            answers.add(request + ": " + backend.send(request));
        }
        return answers.stream()
                .map(answer -> answer.replace(session, "SESSION")
                        .replaceAll("20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                        .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "ID"))
                .toList();
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static List<BackendRequest> requests() {
        return List.of(
                new BackendRequest.ListResources(null),
                new BackendRequest.ListResourceTemplates(null),
                new BackendRequest.ReadResource("agentroot://docs/salaries.md"),
                new BackendRequest.ReadResource("agentroot://docs/handbook.md"),
                new BackendRequest.Complete("agentroot://docs/{+path}", "path", "", Map.of()),
                new BackendRequest.Complete("agentroot://docs/{+path}", "path", "sal", Map.of()),
                new BackendRequest.ListSources(BackendRequest.FilterFields.ALL));
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
        deleteAll(temp.resolve("data"));
        if (nodes() != null) {
            nodes().clear();
        }
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
        List<String> answers =
                answers(docid, chunk, chunks.path(1).path("chunk_hash").asText());
        for (int i = 0; i < expected.size(); i++) {
            String asked = expected.get(i);
            assertEquals(
                    plain(asked, "#0123456789ab", "0", "1"),
                    plain(
                            answers.get(i),
                            docid,
                            chunk,
                            chunks.path(1).path("chunk_hash").asText()));
        }
        ToolResult denied = call("collection_remove", "{'name':'docs'}");
        assertEquals("DENIED", denied.errorKind(), "the one trace");
        as(owner());
        assertTrue(reads("docs/salaries.md"));
        assertEquals(
                List.of("docs/salaries.md"),
                found("search", "zirconium bonuses").subList(0, 1));
    }

    private static String plain(String answer, String docid, String chunk, String next) {
        return answer.replace(docid, "DOCID")
                .replace("'" + chunk + "'", "'C'")
                .replace("'" + next + "'", "'N'")
                .replaceAll("Chunk not found: \\S+\\.", "Chunk not found.");
    }

    // ---- who may read a document, and when that changes

    /** A changed mode holds after the next update, which embeds nothing; the answers tell what happened to whom. */
    @Test
    void theModeAndTheOwnerOfAFileSayWhoReadsIt() throws IOException {
        Path open = write("open.md", "# Open\n\nA kestrel.");
        secret("secret.md", "# Secret\n\nA heron.");
        indexed("docs", "file", folder, "{'file_permissions':'true'}");
        int before = embedder.embedded();
        String owner = owner();
        String group =
                Files.readAttributes(folder, PosixFileAttributes.class).group().getName();
        as(owner);
        assertTrue(reads("docs/open.md") && reads("docs/secret.md"));
        assertEquals(
                "[\"user:" + owner + "\"]",
                ok("get", "{'file':'docs/secret.md'}").path("allow").toString());
        as("eve", group);
        assertTrue(reads("docs/open.md"));
        assertFalse(reads("docs/secret.md"));
        mode(folder.resolve("secret.md"), "rw-r-----");
        mode(open, "rw-r-----");
        as("eve");
        JsonNode removed = update("docs");
        assertEquals(
                List.of(0, 0, 1, 0), counts(removed), "one is gone for eve, who never learnt of the other: " + removed);
        as("eve", group);
        assertTrue(reads("docs/open.md") && reads("docs/secret.md"), "the group may");
        as("eve");
        assertFalse(reads("docs/open.md") || reads("docs/secret.md"));
        mode(open, "rw-r--r--");
        assertEquals(List.of(1, 0, 0, 0), counts(update("docs")), "it is new for eve");
        assertTrue(reads("docs/open.md"));
        assertEquals(List.of(0, 0, 0, 1), counts(update("docs")));
        asEverybody();
        assertEquals(List.of(0, 0, 0, 2), counts(update("docs")));
        assertEquals(before, embedder.embedded(), "nothing is embedded for a permission");
        assertEquals(List.of("docs/secret.md"), found("vsearch", "Secret A heron"), "its vectors are there");
    }

    private static List<Integer> counts(JsonNode report) {
        return Stream.of("added", "changed", "removed", "unchanged")
                .map(name -> report.path(name).asInt())
                .toList();
    }

    /** Without the option a mode says nothing, as before. */
    @Test
    void withoutTheOptionModesSayNothing() throws IOException {
        secret("secret.md", "# Secret\n\nA heron.");
        index("docs");
        as("eve");
        assertTrue(reads("docs/secret.md"));
        assertEquals(
                "INVALID_ARGUMENT",
                add("other", "file", folder, "{'file_permissions':'mode'}").errorKind());
    }

    @Test
    void ofSeveralPlacesTheNarrowestHolds() throws IOException {
        write("a.md", "---\nallow: [\"user:ann\", \"user:bob\"]\n---\n# A\n\nA heron.");
        write("a.md.allow.yaml", "allow: [\"user:ann\", \"group:hr\"]\n");
        write("below/.allow.yaml", "allow: [\"user:bob\"]\n");
        write("below/b.md", "# B\n\nA stork.");
        ok(call("collection_add", "{'name':'docs','path':'" + folder + "','pattern':'**/*','allow':['group:staff']}"));
        JsonNode report = update("docs");
        assertEquals(List.of(2, 0, 0, 0), counts(report), "files with permissions are no documents: " + report);
        as("ann", "staff");
        assertTrue(reads("docs/a.md"));
        assertFalse(reads("docs/below/b.md"));
        JsonNode read = ok("get", "{'file':'docs/a.md'}");
        assertEquals(
                "[[\"group:hr\",\"user:ann\"],[\"user:ann\",\"user:bob\"]]",
                read.path("allow").toString());
        assertEquals("# A\n\nA heron.", read.path("text").asText().strip(), "the permission is no part of the text");
        as("ann");
        assertFalse(reads("docs/a.md"), "the collection is for staff");
        as("bob", "staff");
        assertFalse(reads("docs/a.md"), "not in the file beside it");
        assertTrue(reads("docs/below/b.md"));
        as("bob", "staff", "hr");
        assertTrue(reads("docs/a.md"));
        int before = embedder.embedded();
        write("a.md", "---\nallow: everyone\n---\n# A\n\nA heron.");
        assertEquals(List.of(0, 1, 0, 1), counts(update("docs")));
        as("eve", "staff", "hr");
        assertTrue(reads("docs/a.md"));
        assertEquals(before, embedder.embedded());
        // The collection's own: at the next call.
        ok(call("collection_add", "{'name':'docs','path':'" + folder + "','pattern':'**/*','allow':['group:hr']}"));
        as("ann", "staff");
        assertFalse(reads("docs/a.md"));
    }

    /** What can't be understood is left out, and its stored version is for nobody but those who may read everything. */
    @Test
    void aWrongPermissionKeepsTheDocumentOut() throws IOException {
        write("new.md", "---\nallow: [hr]\n---\n# New\n\nA kestrel.");
        write("old.md", "# Old\n\nA heron.");
        write("beside.md", "# Beside\n\nA stork.");
        write("beside.md.allow.yaml", "allow: []\n");
        index("docs");
        JsonNode report = update("docs");
        assertEquals(2, report.path("skippedTotal").asInt(), report.toString());
        assertEquals(List.of("beside.md", "new.md"), texts(report.path("skipped"), "path"));
        assertTrue(report.path("skipped").path(1).path("reason").asText().contains("user:NAME"), report.toString());
        assertFalse(reads("docs/new.md") || reads("docs/beside.md"));
        as("eve");
        JsonNode others = update("docs");
        assertEquals(2, others.path("skippedTotal").asInt());
        assertEquals(0, others.path("skipped").size(), "who may know their names is not known");
        asEverybody();
        write("old.md", "---\nallow: group hr\n---\n# Old\n\nAnother heron.");
        assertEquals(3, update("docs").path("skippedTotal").asInt());
        assertTrue(reads("docs/old.md"), "the stored version stays");
        as("eve");
        assertFalse(reads("docs/old.md"), "for nobody else");
        asEverybody();
        write("old.md", "---\nallow: [\"group:hr\"]\n---\n# Old\n\nA heron.");
        assertEquals(2, update("docs").path("skippedTotal").asInt());
        as("eve");
        assertFalse(reads("docs/old.md"));
    }

    /** A text that can't be taken over does not keep its old version readable for those who may not read the file now. */
    @Test
    void theStoredVersionIsNarrowedIfTheNewOneCanNotBeStored() throws IOException {
        Path file = write("a.md", "# A\n\nA heron.");
        indexed("docs", "file", folder, "{'file_permissions':true}");
        Files.writeString(file, "# A\n\n" + "A heron. ".repeat(200_000));
        mode(file, "rw-------");
        as("eve");
        JsonNode report = update("docs");
        assertEquals(1, report.path("removed").asInt(), report.toString());
        assertEquals(0, report.path("skippedTotal").asInt(), report.toString());
        assertFalse(reads("docs/a.md"));
        as(owner());
        assertTrue(reads("docs/a.md"));
        assertEquals(1, update("docs").path("skippedTotal").asInt());
    }

    @Test
    void columnsSayWhoReadsARecord() throws IOException, SQLException {
        write(
                "records.json",
                "[{\"id\":\"1\",\"text\":\"A kestrel\",\"who\":[\"group:hr\",\"user:ann\"]},"
                        + "{\"id\":\"2\",\"text\":\"A heron\",\"who\":null},{\"id\":\"3\",\"text\":\"A stork\"},"
                        + "{\"id\":\"4\",\"text\":\"A crane\",\"who\":\"group:hr, user:bob\"},"
                        + "{\"id\":\"5\",\"text\":\"An owl\",\"who\":\"hr\"},{\"id\":\"6\",\"text\":\"A gull\",\"who\":[]}]");
        write("rows.csv", "id,text,who\n1,A kestrel,\"group:hr,user:ann\"\n2,A heron,\n3,A crow,nobody\n");
        Path db = folder.resolve("rows.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + db);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id TEXT, content TEXT, who TEXT)");
            statement.execute(
                    "INSERT INTO t VALUES ('1', 'A kestrel', '[\"group:hr\", \"user:ann\"]'),"
                            + " ('2', 'A heron', NULL), ('3', 'An owl', '[\"hr\"]'), ('4', 'A crane', 'group:hr'), ('5', 'A gull', 'x')");
        }
        JsonNode json = indexed("j", "json", folder, "{'allow_column':'who','id_column':'id'}");
        assertEquals(List.of(3, 0, 0, 0), counts(json), json.toString());
        assertEquals(3, json.path("skippedTotal").asInt(), json.toString());
        JsonNode csv = indexed("c", "csv", folder, "{'allow_column':'who','id_column':'id'}");
        assertEquals(2, csv.path("added").asInt(), csv.toString());
        JsonNode sql = indexed("s", "sql", db, "{'allow_column':'who','table':'t'}");
        assertEquals(List.of(3, 0, 0, 0), counts(sql), sql.toString());
        assertEquals(2, sql.path("skippedTotal").asInt(), sql.toString());
        as("ann");
        for (String file : List.of("j/records.json/1", "j/records.json/2", "c/rows.csv/1", "s/1")) {
            assertTrue(reads(file), file);
        }
        assertFalse(reads("j/records.json/4") || reads("s/4"));
        assertFalse(
                ok("get", "{'file':'j/records.json/1'}").path("text").asText().contains("group:hr"));
        as("eve");
        for (String file : List.of("j/records.json/1", "j/records.json/4", "c/rows.csv/1", "s/1", "s/4")) {
            assertFalse(reads(file), file);
        }
        assertTrue(reads("j/records.json/2") && reads("c/rows.csv/2") && reads("s/2"));
        int before = embedder.embedded();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + db);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE t SET who = 'user:eve' WHERE id = '4'");
            statement.execute("UPDATE t SET who = 'user:ann' WHERE id = '2'");
        }
        assertEquals(List.of(1, 0, 1, 0), counts(update("s")));
        assertTrue(reads("s/4"));
        assertFalse(reads("s/2"));
        assertEquals(before, embedder.embedded());
        assertEquals(
                "INVALID_ARGUMENT",
                add("other", "sql", db, "{'allow_column':'missing','table':'t'}")
                        .errorKind());
    }

    /** A column that is called otherwise, a cell that is missing: not even what is stored is read by others. */
    @Test
    void aRecordThatDoesNotSayWhoReadsItIsForNobody() throws IOException {
        write("rows.csv", "id, who ,text\n1,user:ann,A kestrel\n2\n");
        write("records.json", "[{\"id\":\"1\",\"Who\":\"user:ann\"},[\"A heron\"],\"A stork\"]");
        JsonNode csv = indexed("c", "csv", folder, "{'allow_column':'who','id_column':'id'}");
        assertEquals(List.of(1, 0, 0, 0), counts(csv), csv.toString());
        assertEquals(List.of("rows.csv/2"), texts(csv.path("skipped"), "path"));
        JsonNode json = indexed("j", "json", folder, "{'allow_column':'who'}");
        assertEquals(List.of(0, 0, 0, 0), counts(json), json.toString());
        assertEquals(3, json.path("skippedTotal").asInt(), json.toString());
        as("eve");
        assertFalse(reads("c/rows.csv/1"));
        write("rows.csv", "id,who,text\n1,user:ann,A kestrel\n2,,A heron\n");
        assertEquals(List.of(1, 0, 0, 0), counts(update("c")));
        assertTrue(reads("c/rows.csv/2"));
        write("rows.csv", "id,who,text\n1,user:ann,A kestrel\n2,hr,A heron\n");
        assertEquals(List.of(0, 0, 1, 0), counts(update("c")));
        assertFalse(reads("c/rows.csv/2"), "what is stored of it");
        write("rows.csv", "id,who,who,text\n1,user:ann,,A kestrel\n");
        update("c");
        assertFalse(reads("c/rows.csv/1"));
    }

    /** Whatever it is called: the text that is stored is the one that says who reads it. */
    @Test
    void frontMatterCountsInTextsOfEveryName() throws IOException {
        String text = "---\nallow: [\"user:ann\"]\n---\n# A\n\nA heron.";
        List<String> names = List.of("README", "a.mdx", "b.rst", "c.adoc", "d.qmd", ".hidden", "e.txt", "f.md");
        for (String name : names) {
            write(name, text);
        }
        write("control.md", text + "\u0001".repeat(40));
        byte[] latin = (text + " \u00e4").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        Files.write(folder.resolve("latin.md"), latin);
        ok(add("docs", "file", folder, "{'exclude_hidden':false}"));
        as("eve");
        JsonNode report = update("docs");
        assertEquals(List.of(0, 0, 0, 0), counts(report), report.toString());
        assertFalse(report.toString().contains("latin.md"), report.toString());
        for (String name : names) {
            assertFalse(reads("docs/" + name), name);
        }
        assertFalse(reads("docs/control.md"));
        as("ann");
        for (String name : names) {
            assertTrue(reads("docs/" + name), name);
        }
        assertTrue(reads("docs/control.md"));
        assertEquals(
                List.of("latin.md"),
                texts(update("docs").path("skipped"), "path"),
                "it can't be stored, and ann may know");
        write("g.rst", "A stork.");
        update("docs");
        as("eve");
        assertTrue(reads("docs/g.rst"));
        Files.write(folder.resolve("g.rst"), latin);
        assertEquals(List.of(0, 0, 1, 0), counts(update("docs")));
        assertFalse(reads("docs/g.rst"), "nor its stored version");
    }

    /** What is left out while files are looked for is narrowed, too, and its name is for those who may read it. */
    @Test
    void whatIsLeftOutOfAFileOfRecordsIsNarrowed() throws IOException {
        Path file = write("rows.csv", "id,text\n1,A kestrel\n2,A heron\n");
        indexed("c", "csv", folder, "{'id_column':'id'}");
        as("eve");
        assertTrue(reads("c/rows.csv/1") && reads("c/rows.csv/2"));
        Files.writeString(file, "id,text\n1,\"A kestrel");
        write("rows.csv.allow.yaml", "allow: user:ann\n");
        JsonNode report = update("c");
        assertEquals(List.of(0, 0, 2, 0), counts(report), report.toString());
        assertFalse(report.toString().contains("rows.csv"), report.toString());
        assertFalse(reads("c/rows.csv/1") || reads("c/rows.csv/2"));
        as("ann");
        assertTrue(reads("c/rows.csv/1") && reads("c/rows.csv/2"));
        assertTrue(update("c").path("skipped").toString().contains("rows.csv"));
        write("secret.csv", "id,text\n1,\"x");
        write("secret.csv.allow.yaml", "allow: user:ann\n");
        as("eve");
        report = update("c");
        assertFalse(report.toString().contains("secret"), report.toString());
        Files.writeString(file, "id,text\n1,A kestrel\n2,A heron\n");
        Files.delete(folder.resolve("rows.csv.allow.yaml"));
        assertEquals(List.of(2, 0, 0, 0), counts(update("c")));
        assertTrue(reads("c/rows.csv/1") && reads("c/rows.csv/2"));
    }

    /** The front matter of a text that is too large says who reads what is stored. */
    @Test
    void frontMatterOfATextThatIsTooLargeCounts() throws IOException {
        Path file = write("a.md", "# A\n\nA heron.");
        index("docs");
        Files.writeString(file, "---\nallow: [\"user:ann\"]\n---\n# A\n\n" + "A h\u00e9ron. ".repeat(200_000));
        write("new.md", "---\nallow: [\"user:ann\"]\n---\n" + "x ".repeat(600_000));
        as("eve");
        JsonNode report = update("docs");
        assertEquals(1, report.path("removed").asInt(), report.toString());
        assertEquals("[]", report.path("skipped").toString());
        assertFalse(reads("docs/a.md"));
        as("ann");
        assertTrue(reads("docs/a.md"));
        assertEquals(List.of("a.md", "new.md"), texts(update("docs").path("skipped"), "path"));
    }

    /** Its line is longer than what is read of such a text: it is wrong, and so for nobody. */
    @Test
    void frontMatterThatDoesNotEndInATextThatIsTooLargeIsForNobody() throws IOException {
        Path file = write("a.md", "# A\n\nA heron.");
        Path other = write("b.md", "# B\n\nA heron.");
        index("docs");
        String names = ", \"user:z\u00f6e\"".repeat(100_000);
        Files.writeString(file, "---\nallow: [\"user:ann\"" + names + "]\n---\n# A\n");
        Files.writeString(other, "---\nA rule above" + " h\u00e9rons".repeat(200_000));
        for (String who : List.of("eve", "ann")) {
            as(who);
            update("docs");
            assertFalse(reads("docs/a.md"), who);
            assertTrue(reads("docs/b.md"), "it says nothing of readers");
        }
    }

    /** One wrong file beside it: nobody reads the stored version, and all is well when it is mended. */
    @Test
    void aWrongPermissionHidesWhatIsStored() throws IOException {
        write("a.md", "# A\n\nA heron.");
        index("docs");
        ok("metadata_add", "{'docid':'docs/a.md','metadata':{'payband':'nine'}}");
        int before = embedder.embedded();
        as("eve");
        assertTrue(reads("docs/a.md"));
        write("a.md.allow.yaml", "alow: user:ann\n");
        JsonNode report = update("docs");
        assertEquals(List.of("a.md"), texts(report.path("skipped"), "path"), "eve could read it");
        assertFalse(reads("docs/a.md"));
        write("a.md.allow.yaml", "allow: user:eve\n");
        assertEquals(List.of(1, 0, 0, 0), counts(update("docs")));
        assertTrue(reads("docs/a.md"));
        assertTrue(ok("metadata_get", "{'docid':'docs/a.md'}").toString().contains("nine"));
        assertEquals(before, embedder.embedded());
    }

    /** Permission files that protect nothing are named. */
    @Test
    void aPermissionFileOfNoFileIsReported() throws IOException {
        write("salaries.pdf.md", "# A\n\nA heron.");
        write("salaries.pdf.md.allow.yaml", "allow: user:ann\n");
        write("salarys.md.allow.yaml", "allow: user:ann\n");
        write("below/.Allow.yaml", "allow: user:ann\n");
        write("below/b.md", "# B\n\nA stork.");
        write("below/b.md.ALLOW.yml", "allow: user:ann\n");
        JsonNode report = index("docs", "**/*.md");
        assertEquals(
                List.of("below/.Allow.yaml", "below/b.md.ALLOW.yml", "salarys.md.allow.yaml"),
                texts(report.path("skipped"), "path"));
        List<String> reasons = texts(report.path("skipped"), "reason");
        String capitals = "is not read: its name must end in .allow.yaml, in small letters";
        assertEquals(List.of(capitals, capitals), reasons.subList(0, 2));
        assertTrue(reasons.getLast().contains("a file that is not there"), reasons.getLast());
    }

    /** A record's number may be that of another record at the next update. */
    @Test
    void metadataOfAHiddenRecordDoesNotMoveToTheNextOne() throws IOException {
        write("rows.csv", "text,who\nA kestrel,user:ann\nA heron,\n");
        indexed("c", "csv", folder, "{'allow_column':'who'}");
        ok("metadata_add", "{'docid':'c/rows.csv/1','metadata':{'payband':'nine'}}");
        write("rows.csv", "text,who\nA heron,\n");
        update("c");
        as("eve");
        assertTrue(reads("c/rows.csv/1"));
        assertFalse(call("metadata_get", "{'docid':'c/rows.csv/1'}").toString().contains("nine"));
    }

    /** The caller's metadata of a document does not move to one of the same content that others read. */
    @Test
    void metadataOfAHiddenDocumentDoesNotMoveToOneForEveryone() throws IOException {
        Path file = secret("secret.md", "# A\n\nA heron.");
        indexed("docs", "file", folder, "{'file_permissions':true}");
        ok("metadata_add", "{'docid':'docs/secret.md','metadata':{'payband':'nine'}}");
        Files.move(file, folder.resolve("open.md"));
        mode(folder.resolve("open.md"), "rw-r--r--");
        as("eve");
        assertEquals(List.of(1, 0, 0, 0), counts(update("docs")));
        assertEquals(
                "NOT_FOUND", call("metadata_get", "{'docid':'docs/open.md'}").errorKind());
    }

    // ---- notices

    /** Who may read none of the documents that have changed, before or after it, is not notified. */
    @Test
    void changesOfHiddenDocumentsAreForTheirReaders() throws Exception {
        BlockingQueue<BackendEvent.ListChanged> said = new LinkedBlockingQueue<>();
        MessageConsumer<BackendEvent> listener = backend.vertx()
                .eventBus()
                .localConsumer(BusAddresses.changes("agentroot"), message -> {
                    if (message.body() instanceof BackendEvent.ListChanged list) {
                        said.add(list);
                    }
                });
        listener.completion().await();
        write("open.md", "# Open\n\nA kestrel.");
        Path file = write("secret.md", "---\nallow: [\"user:ann\"]\n---\n# Secret\n\nA heron.");
        index("docs");
        concerns(said, true, true);
        Files.writeString(file, "---\nallow: [\"user:ann\"]\n---\n# Secret\n\nAnother heron.");
        update("docs");
        concerns(said, true, false);
        Files.writeString(file, "# Secret\n\nAnother heron.");
        update("docs");
        concerns(said, true, true);
        Files.writeString(file, "---\nallow: [\"user:ann\"]\n---\n# Secret\n\nAnother heron.");
        update("docs");
        concerns(said, true, true);
        Files.delete(file);
        update("docs");
        concerns(said, true, false);
        update("docs");
        assertEquals(null, said.poll(), "nothing has changed");
    }

    private static void concerns(BlockingQueue<BackendEvent.ListChanged> said, boolean ann, boolean eve)
            throws InterruptedException {
        BackendEvent.ListChanged change = said.poll(30, TimeUnit.SECONDS);
        assertEquals(ann, change.audience().test(caller("ann")));
        assertEquals(eve, change.audience().test(caller("eve")));
    }

    /** Progress tells who may not read everything neither names nor numbers of what is hidden. */
    @Test
    void progressIsOfWhatTheCallerMayRead() throws IOException {
        write("open.md", "# Open\n\nA kestrel.");
        secret("secret.md", "# Secret\n\nA heron.");
        ok(add("docs", "file", folder, "{'file_permissions':true}"));
        as("eve");
        update("docs");
        List<BackendEvent> events = backend.events();
        assertTrue(events.toString().contains("open.md"), events::toString);
        assertFalse(events.toString().contains("secret.md") || events.toString().contains("total=2"), events::toString);
    }

    /** Documents that were stored without one get their permission at the next update, also after a restart, and no new vectors. */
    @Test
    void whatWasStoredBeforeGetsItsPermissions() throws IOException {
        write("a.md", "# A\n\nA heron.");
        index("docs");
        as("eve");
        assertTrue(reads("docs/a.md"));
        asEverybody();
        restart(true);
        int before = embedder.embedded();
        write("a.md.allow.yaml", "allow: user:ann\n");
        assertEquals(List.of(0, 1, 0, 0), counts(update("docs")));
        as("eve");
        assertFalse(reads("docs/a.md"));
        as("ann");
        assertTrue(reads("docs/a.md"));
        assertEquals(before, embedder.embedded());
    }
}
