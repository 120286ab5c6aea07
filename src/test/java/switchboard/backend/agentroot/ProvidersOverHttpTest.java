package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.backend.agentroot.AgentrootSite.Page;
import switchboard.backend.agentroot.AgentrootSite.Seen;
import switchboard.store.DocumentDetails;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.StoredDocument;
import switchboard.testing.ToolResult;

/** Where collections come from, through the whole gateway. */
class ProvidersOverHttpTest {
    @TempDir
    static Path temp;

    private static AgentrootSite site;

    @BeforeAll
    static void start() {
        site = new AgentrootSite(temp);
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    private static ToolResult add(String name, String provider, String path, String more) {
        return site.call(
                "collection_add",
                "{'name':'" + name + "','provider':'" + provider + "','path':'" + path + "'" + more + "}");
    }

    private static JsonNode indexed(String name, String provider, String path, String more) {
        AgentrootSite.structured(add(name, provider, path, more));
        return site.update(name);
    }

    private static List<String> documents(String collection) {
        return AgentrootFixture.texts(
                site.ok("multi_get", "{'pattern':'" + collection + "/*'}").path("files"), "file");
    }

    private static String title(String file) {
        return site.ok("get", "{'file':'" + file + "'}").path("title").asText();
    }

    private static JsonNode metadata(String file) {
        return site.ok("metadata_get", "{'docid':'" + file + "'}").path("metadata");
    }

    // ---- url

    @Test
    void pagesOfTheWebAreNamedByThemselvesTheirTitleOrTheirAddress() {
        site.pages.put("/heading", Page.html("<title>Other</title><h1>Test Heading</h1><p>kingfisher</p>"));
        site.pages.put("/titled", Page.html("<title>Test Page</title><p>some text</p>"));
        site.pages.put(
                "/docs/my-document.txt",
                new Page(200, "text/plain", "plain words".getBytes(StandardCharsets.UTF_8), Map.of()));
        site.pages.put("/", Page.html("<p>no title here</p>"));
        String host = "127.0.0.1";
        assertEquals(
                1,
                indexed("heading", "url", site.url() + "/heading", "")
                        .path("filesUpdated")
                        .asInt());
        assertEquals("Test Heading", title("heading/" + host + "/heading"));
        indexed("titled", "url", site.url() + "/titled", "");
        assertEquals("Test Page", title("titled/" + host + "/titled"));
        indexed("textual", "url", site.url() + "/docs/my-document.txt", "");
        assertEquals("my-document.txt", title("textual/" + host + "/docs/my-document.txt"));
        indexed("home", "url", site.url() + "/", "");
        assertEquals(host, title("home/" + host));
        assertEquals(List.of("heading/" + host + "/heading"), site.found("search", "heading", "kingfisher"));
    }

    @Test
    void whatIsNoPageIsRefusedWhenItIsAdded() {
        assertEquals(
                "INVALID_ARGUMENT", add("u1", "url", "ftp://example.com/x", "").errorKind());
        assertEquals("NOT_FOUND", add("u2", "url", site.url() + "/nowhere", "").errorKind());
        ToolResult metadata = site.gateway()
                .modern("plain")
                .call(
                        "collection_add",
                        "{\"name\":\"m\",\"provider\":\"url\",\"path\":\"http://169.254.169.254/latest\"}");
        assertEquals("DENIED", metadata.errorKind());
        assertEquals(
                "INVALID_ARGUMENT",
                add("u3", "url", site.url() + "/titled", ",'config':{'depth':2}")
                        .errorKind());
    }

    @Test
    void aPageThatIsGoneStaysAsItWasAndIsNamed() {
        site.pages.put("/fleeting", Page.html("<h1>Fleeting</h1><p>dragonfly</p>"));
        indexed("fleeting", "url", site.url() + "/fleeting", "");
        site.pages.remove("/fleeting");
        JsonNode again = site.update("fleeting");
        assertEquals(1, again.path("skippedTotal").asInt());
        assertEquals(1, site.found("search", "fleeting", "dragonfly").size());
    }

    // ---- github

    /** A repository o/NAME whose default branch has these entries; blobs are served by their hash. */
    private static void repository(String name, String ref, String entries, boolean truncated) {
        String tree = "{'truncated':" + truncated + ",'tree':[" + entries + "]}";
        site.pages.put("/api/repos/o/" + name + "/git/trees/" + ref, Page.json(tree));
        site.pages.put("/api/repos/o/" + name + "/git/trees/" + ref + "?recursive=1", Page.json(tree));
    }

    private static String blob(String name, String path, String sha, String text) {
        site.pages.put("/api/repos/o/" + name + "/git/blobs/" + sha, Page.raw(text));
        return "{'path':'" + path + "','type':'blob','mode':'100644','sha':'" + sha + "','size':" + text.length() + "}";
    }

    private static String allow(String file) {
        return site.ok("get", "{'file':'" + file + "'}").path("allow").toString();
    }

    /** A repository's visibility says who reads its files, if the collection names the readers of a private one. */
    @Test
    void filesOfAPrivateRepositoryAreForTheReadersThatTheCollectionNames() {
        repository(
                "closed",
                "HEAD",
                blob("closed", "a.md", "c1", "# A\n\nA heron.") + ","
                        + blob("closed", "b.md", "c2", "---\nallow: user:ann\n---\n# B\n\nA stork.") + ","
                        + blob("closed", "b.md.allow.yaml", "c3", "allow: user:bob") + ","
                        + blob("closed", "hr/.allow.yaml", "c4", "allow: user:bob") + ","
                        + blob("closed", ".Allow.yml", "c5", "allow: user:bob") + ","
                        + blob("closed", "node_modules/.allow.yaml", "c6", "allow: user:bob"),
                false);
        String option = ",'config':{'private_allow':'group:engineering, user:cto'}";
        for (String shown : List.of("{'visibility':'internal','private':true}", "{'private':true}", "{}")) {
            site.pages.put("/api/repos/o/closed", Page.json(shown));
            indexed("closed", "github", "o/closed", option);
            assertEquals("[\"group:engineering\",\"user:cto\"]", allow("closed/a.md"), shown);
            assertEquals("[[\"user:ann\"],[\"group:engineering\",\"user:cto\"]]", allow("closed/b.md"), shown);
            site.ok("collection_remove", "{'name':'closed'}");
        }
        indexed("closed", "github", "o/closed", option);
        site.pages.put("/api/repos/o/closed", Page.json("{'visibility':'public'}"));
        assertEquals(2, site.update("closed").path("changed").asInt());
        assertEquals("", allow("closed/a.md"));
        assertEquals("[\"user:ann\"]", allow("closed/b.md"));
        JsonNode again = site.update("closed");
        assertEquals(2, again.path("unchanged").asInt());
        assertEquals(
                List.of(".Allow.yml", "b.md.allow.yaml", "hr/.allow.yaml"),
                AgentrootFixture.texts(again.path("skipped"), "path"),
                "they are not read, and that is said");
        site.pages.remove("/api/repos/o/closed");
        assertTrue(site.call("collection_update", "{'name':'closed'}").isError(), "who may read it is not known");
        indexed("asbefore", "github", "o/closed", "");
        assertEquals("", allow("asbefore/a.md"));
        assertEquals(
                "INVALID_ARGUMENT",
                add("wrong", "github", "o/closed", ",'config':{'private_allow':'engineering'}")
                        .errorKind());
        assertEquals(
                "INVALID_ARGUMENT",
                add("wrong", "github", "o/closed", ",'config':{'private_allow':' '}")
                        .errorKind());
    }

    /** What a version stored that did not look for a permission gets it from the stored text; nothing is fetched again. */
    @Test
    void whatAnEarlierVersionStoredGetsItsPermissionWithoutBeingFetchedAgain() throws TimeoutException {
        String text = "---\nallow: user:ann\n---\n# A\n\nA heron.";
        repository("earlier", "HEAD", blob("earlier", "a.md", "g1", text), false);
        indexed("earlier", "github", "o/earlier", "");
        assertEquals("[\"user:ann\"]", allow("earlier/a.md"));
        site.changeStore(store -> {
            Namespace namespace = Namespace.of("earlier");
            StoredDocument stored = store.find(namespace, "a.md").await().orElseThrow();
            ObjectNode metadata = stored.metadata().deepCopy();
            metadata.withObjectProperty("f").remove("permitted");
            DocumentDetails details = new DocumentDetails(
                    "a.md", stored.title(), "md", stored.lastModified(), stored.contentHash(), metadata);
            store.put(namespace, new NewDocument(details, text, stored.model(), List.of()))
                    .await();
        });
        assertEquals("", allow("earlier/a.md"));
        assertEquals(1, site.update("earlier").path("changed").asInt());
        assertEquals("[\"user:ann\"]", allow("earlier/a.md"));
        assertEquals(1, site.update("earlier").path("unchanged").asInt());
        assertEquals(1, asked("earlier/git/blobs/g1"));
    }

    /** However many files a repository has that are left out, no more are kept than there can be documents. */
    @Test
    void asManyFilesAreLeftOutByNameAsThereCanBeDocuments() {
        List<String> entries = new ArrayList<>(
                List.of(blob("many", "a.md", "h1", "A heron."), blob("many", "b.md", "h2", "A stork.")));
        for (int i = 0; i < 5; i++) {
            entries.add(blob("many", "folder" + i + "/.allow.yaml", "h3", "allow: user:bob"));
        }
        repository("many", "HEAD", String.join(",", entries), false);
        site.restart(", maxDocuments: 3");
        try {
            JsonNode report = indexed("many", "github", "o/many", "");
            assertEquals(2, report.path("added").asInt());
            assertEquals(3, report.path("skippedTotal").asInt());
            assertTrue(report.path("complete").asBoolean());
        } finally {
            site.restart("");
        }
    }

    private static long asked(String part) {
        return site.seen.stream().filter(one -> one.uri().contains(part)).count();
    }

    @Test
    void aRepositoryIsReadAndOnlyWhatChangedIsFetchedAgain() {
        String readme = blob("plainrepo", "README.md", "a1", "# Plain\n\nA kestrel.");
        String deep = blob("plainrepo", "docs/deep/x.md", "a2", "# Deep\n\nA heron.");
        String rest = "{'path':'docs','type':'tree','mode':'040000','sha':'t1'},"
                + "{'path':'link.md','type':'blob','mode':'120000','sha':'a3','size':3},"
                + "{'path':'node_modules/n.md','type':'blob','mode':'100644','sha':'a4','size':3},"
                + "{'path':'main.rs','type':'blob','mode':'100644','sha':'a5','size':3},"
                + "{'path':'big.md','type':'blob','mode':'100644','sha':'a6','size':99999999}";
        repository("plainrepo", "HEAD", readme + "," + deep + "," + rest, false);
        JsonNode first = indexed("gh", "github", "https://github.com/o/plainrepo", "");
        assertEquals(2, first.path("filesUpdated").asInt());
        assertEquals("big.md", first.path("skipped").path(0).path("path").asText());
        assertEquals(List.of("gh/README.md", "gh/docs/deep/x.md"), documents("gh"));
        assertEquals(
                "o/plainrepo",
                metadata("gh/README.md").path("repository").path("value").asText());
        repository(
                "plainrepo",
                "HEAD",
                readme + "," + blob("plainrepo", "docs/deep/x.md", "b2", "# Deep\n\nA stork."),
                false);
        JsonNode second = site.update("gh");
        assertEquals(1, second.path("changed").asInt());
        assertEquals(1, second.path("unchanged").asInt());
        assertEquals(1, asked("plainrepo/git/blobs/a1"));
        assertTrue(site.seen.stream()
                .filter(one -> one.uri().contains("plainrepo"))
                .map(Seen::authorization)
                .allMatch("Bearer ghp_operators0secret"::equals));
    }

    @Test
    void namesOfBranchesMayHaveSlashes() {
        repository("branches", "feature%2Fx", blob("branches", "docs/a.md", "c1", "# A\n\nwren"), false);
        site.pages.put(
                "/api/repos/o/branches/git/matching-refs/heads/feature",
                Page.json("[{'ref':'refs/heads/feature/xy'},{'ref':'refs/heads/feature/x'}]"));
        JsonNode updated = indexed("branched", "github", "https://github.com/o/branches/tree/feature/x/docs", "");
        assertEquals(1, updated.path("filesUpdated").asInt());
        assertEquals(List.of("branched/a.md"), documents("branched"));
        indexed("single", "github", "https://github.com/o/branches/blob/feature/x/docs/a.md", "");
        assertEquals(List.of("single/docs/a.md"), documents("single"));
        indexed("named", "github", "o/branches", ",'config':{'branch':'feature/x'}");
        assertEquals(List.of("named/docs/a.md"), documents("named"));
        assertEquals(
                "NOT_FOUND",
                add("nobranch", "github", "https://github.com/o/branches/tree/other/docs", "")
                        .errorKind());
    }

    @Test
    void aTreeThatIsCutOffIsWalkedFolderByFolder() {
        String root = "{'path':'sub','type':'tree','mode':'040000','sha':'s1'}";
        repository("large", "HEAD", blob("large", "a.md", "d1", "alpha") + "," + root, false);
        site.pages.put(
                "/api/repos/o/large/git/trees/HEAD?recursive=1",
                Page.json("{'truncated':true,'tree':[" + blob("large", "a.md", "d1", "alpha") + "]}"));
        repository("large", "s1", blob("large", "b.md", "d2", "beta"), false);
        JsonNode updated = indexed("large", "github", "o/large", "");
        assertEquals(2, updated.path("filesUpdated").asInt());
        assertTrue(updated.path("complete").asBoolean());
        assertEquals(List.of("large/a.md", "large/sub/b.md"), documents("large"));
    }

    @Test
    void aRateLimitStopsTheUpdateAndSaysUntilWhen() {
        repository(
                "limited",
                "HEAD",
                blob("limited", "a.md", "e1", "alpha") + "," + blob("limited", "b.md", "e2", "beta"),
                false);
        Page limit = new Page(
                403,
                "application/json",
                "{}".getBytes(StandardCharsets.UTF_8),
                Map.of(
                        "X-RateLimit-Remaining",
                        "0",
                        "X-RateLimit-Reset",
                        String.valueOf(site.clock.instant().plusSeconds(3600).getEpochSecond())));
        site.pages.put("/api/repos/o/limited/git/blobs/e1", limit);
        site.pages.put("/api/repos/o/limited/git/blobs/e2", limit);
        JsonNode stopped = indexed("limited", "github", "o/limited", "");
        assertFalse(stopped.path("complete").asBoolean());
        assertEquals(2, stopped.path("remaining").asInt());
        assertTrue(stopped.path("stopped").asText().contains("free again at 2026-"), stopped.toString());
        blob("limited", "a.md", "e1", "alpha");
        blob("limited", "b.md", "e2", "beta");
        assertEquals(2, site.update("limited").path("filesUpdated").asInt());
    }

    @Test
    void aTokenOfTheCollectionComesFirstAndIsNeverShown() {
        repository("private", "HEAD", blob("private", "a.md", "f1", "secret plans"), false);
        ToolResult added =
                add("private", "github", "o/private", ",'config':'{\\\"github_token\\\":\\\"ghp_mine0\\\"}'");
        AgentrootSite.structured(added);
        ToolResult updated = site.call("collection_update", "{'name':'private'}");
        ToolResult status = site.call("status", "{}");
        assertFalse((added.toString() + updated + status).contains("ghp_"));
        assertTrue(site.seen.stream()
                .filter(one -> one.uri().contains("/private/"))
                .map(Seen::authorization)
                .allMatch("Bearer ghp_mine0"::equals));
        site.pages.put(
                "/api/repos/o/private/git/trees/HEAD?recursive=1",
                new Page(
                        401, "application/json", "{'message':'ghp_mine0'}".getBytes(StandardCharsets.UTF_8), Map.of()));
        ToolResult refused = site.call("collection_update", "{'name':'private'}");
        assertEquals("DENIED_UPSTREAM", refused.errorKind());
        assertFalse(refused.toString().contains("ghp_"));
    }

    @Test
    void whatIsNoRepositoryIsRefused() {
        for (String path : List.of("https://example.com/o/r", "https://github.com/o", "x", "o/r/s", "../..")) {
            assertEquals("INVALID_ARGUMENT", add("bad", "github", path, "").errorKind(), path);
        }
        assertEquals("NOT_FOUND", add("bad", "github", "o/unknown", "").errorKind());
    }

    // ---- sql

    private static Path database(String name, String... statements) throws SQLException {
        Path file = site.folder.resolve(name);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        return file;
    }

    @Test
    void rowsOfATableAreDocuments() throws SQLException, IOException {
        Path file = database(
                "articles.db",
                "CREATE TABLE docs (id INTEGER, title TEXT, content TEXT, stars INTEGER)",
                "INSERT INTO docs VALUES (1, 'First Document', 'the bittern hides', 3), (2, 'Second Document',"
                        + " 'the plover runs', 5), (3, 'Empty', '   ', 1)");
        byte[] before = Files.readAllBytes(file);
        assertEquals(
                2,
                indexed("sqlt", "sql", "articles.db", ",'config':{'table':'docs'}")
                        .path("filesUpdated")
                        .asInt());
        assertEquals(List.of("sqlt/1", "sqlt/2"), documents("sqlt"));
        assertEquals("First Document", title("sqlt/1"));
        assertEquals(List.of("sqlt/2"), site.found("search", "sqlt", "plover"));
        assertEquals(
                List.of("sqlt/2"),
                AgentrootFixture.texts(site.ok("metadata_query", "{'field':'stars','operator':'gt','value':4}")
                        .path("files")));
        assertEquals(
                1,
                indexed("sqlq", "sql", file.toString(), ",'config':{'query':'SELECT * FROM docs WHERE id = 2'}")
                        .path("filesUpdated")
                        .asInt());
        assertEquals(-1, java.util.Arrays.mismatch(before, Files.readAllBytes(file)));
    }

    @Test
    void whatNeitherReadsNorHasTheColumnsIsRefused() throws SQLException {
        Path file = database("strict.db", "CREATE TABLE t (a TEXT, b TEXT)", "INSERT INTO t VALUES ('x', 'y')");
        site.write("not.db", "this is no database at all, but it is long enough to have a header of some kind");
        String path = file.toString();
        assertEquals(
                "SQL provider requires either 'query' or 'table' option",
                add("s", "sql", path, "").text());
        assertTrue(add("s", "sql", path, ",'config':{'table':'t'}")
                .text()
                .startsWith("Column 'content' not found in query result"));
        assertTrue(add("s", "sql", path, ",'config':{'table':'t','content_column':'nope'}")
                .text()
                .startsWith("Column 'nope' not found in query result"));
        for (String query : List.of(
                "DELETE FROM t",
                "WITH x AS (SELECT 1) DELETE FROM t",
                "ATTACH 'other.db' AS o",
                "VACUUM INTO 'copy.db'",
                "SELECT load_extension('x') AS content",
                "SELECT writefile('x', 'y') AS content",
                "SELECT * FROM missing")) {
            String quoted = query.replace("'", "\\u0027");
            assertEquals(
                    "INVALID_ARGUMENT",
                    add("s", "sql", path, ",'config':{'query':'" + quoted + "'}")
                            .errorKind(),
                    query);
        }
        assertEquals(
                "INVALID_ARGUMENT",
                add("s", "sql", "not.db", ",'config':{'table':'t'}").errorKind());
        assertEquals(
                "NOT_FOUND",
                add("s", "sql", "missing.db", ",'config':{'table':'t'}").errorKind());
        assertEquals(
                "DENIED",
                add("s", "sql", "/etc/hostname", ",'config':{'table':'t'}").errorKind());
        assertFalse(Files.exists(Path.of("copy.db")));
    }

    // ---- csv and json

    @Test
    void rowsOfCsvAreDocuments() {
        site.write("people.csv", "name;age;city\nAlice;31;Oslo\n\nBob;27;\"Berg;en\"\n");
        assertEquals(
                2,
                indexed("people", "csv", "people.csv", "").path("filesUpdated").asInt());
        assertEquals(List.of("people/people.csv/1", "people/people.csv/2"), documents("people"));
        String text = site.call("get", "{'file':'people/people.csv/1'}")
                .result()
                .path("content")
                .path(0)
                .path("resource")
                .path("text")
                .asText();
        assertTrue(text.contains("name: Alice\n"), text);
        JsonNode metadata = metadata("people/people.csv/1");
        assertEquals("Alice", metadata.path("name").path("value").asText());
        assertEquals("1", metadata.path("row_number").path("value").asText());
        assertEquals("Alice", title("people/people.csv/1"));
        site.write("people.csv", "name;age;city\nAlice;32;Oslo\n");
        JsonNode again = site.update("people");
        assertEquals(1, again.path("changed").asInt());
        assertEquals(1, again.path("removed").asInt());
        assertEquals(
                "32", metadata("people/people.csv/1").path("age").path("value").asText());
    }

    @Test
    void elementsOfJsonAreDocuments() {
        site.write("data/list.json", "[{\"title\":\"One\",\"n\":1},{\"title\":\"Two\",\"n\":2}]");
        site.write("data/lines.jsonl", "{\"name\":\"L0\"}\n{\"name\":\"L1\"}\n");
        site.write("data/single.json", "{\"name\":\"S\",\"list\":[1,2]}");
        site.write("data/broken.json", "{\"name\":");
        JsonNode updated =
                indexed("records", "json", site.folder.resolve("data").toString(), "");
        assertEquals(5, updated.path("filesUpdated").asInt());
        assertEquals("broken.json", updated.path("skipped").path(0).path("path").asText());
        assertTrue(updated.path("complete").asBoolean());
        assertEquals("One", title("records/list.json/0"));
        assertEquals(
                "0", metadata("records/list.json/0").path("index").path("value").asText());
        site.write("data/list.json", "{");
        assertEquals(0, site.update("records").path("removed").asInt());
        assertEquals("One", title("records/list.json/0"));
    }

    // ---- pdf

    private static void pdf(String path, String... lines) throws IOException {
        try (PDDocument document = new PDDocument()) {
            PDPage page = new PDPage();
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(50, 700);
                for (String line : lines) {
                    content.showText(line);
                    content.newLineAtOffset(0, -15);
                }
                content.endText();
            }
            Path file = site.folder.resolve(path);
            Files.createDirectories(file.getParent());
            document.save(file.toFile());
        }
    }

    @Test
    void pdfsAreNamedByTheirFirstLineOrTheirFile() throws IOException {
        pdf("pdfs/a.pdf", "Short Title", "The avocet has a bent beak.");
        pdf(
                "pdfs/user-guide-v2.pdf",
                "A first line that is far too long to be a title because it goes on and on and on and on and on and on",
                "x");
        pdf("pdfs/scan.pdf");
        site.write("pdfs/notes.txt", "not a pdf");
        JsonNode updated = indexed("pdfs", "pdf", site.folder.resolve("pdfs").toString(), "");
        assertEquals(2, updated.path("filesUpdated").asInt());
        assertEquals(List.of("scan.pdf"), AgentrootFixture.texts(updated.path("skipped"), "path"));
        assertEquals("Short Title", title("pdfs/a.pdf"));
        assertEquals("user guide v2", title("pdfs/user-guide-v2.pdf"));
        assertEquals(List.of("pdfs/a.pdf"), site.found("search", "pdfs", "avocet"));
    }

    // ---- options of files

    @Test
    void hiddenFilesAndLinksAreAsTheOptionsSay() throws IOException {
        site.write("opt/.hidden.md", "hidden");
        site.write("opt/seen.md", "seen");
        Files.createSymbolicLink(site.folder.resolve("opt/link.md"), site.folder.resolve("opt/seen.md"));
        String path = site.folder.resolve("opt").toString();
        indexed("opt1", "file", path, "");
        assertEquals(List.of("opt1/link.md", "opt1/seen.md"), documents("opt1"));
        indexed("opt2", "file", path, ",'config':{'exclude_hidden':'false','follow_symlinks':'false'}");
        assertEquals(List.of("opt2/.hidden.md", "opt2/seen.md"), documents("opt2"));
        assertEquals(
                "INVALID_ARGUMENT",
                add("opt3", "file", path, ",'config':{'exclude_hidden':'maybe'}")
                        .errorKind());
    }
}
