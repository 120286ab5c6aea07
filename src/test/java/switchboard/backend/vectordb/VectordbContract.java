package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.ToolCaller;
import switchboard.testing.ToolResult;

/** What mcpvectordb's tools promise, whatever carries the calls. */
@ExtendWith(VertxExtension.class)
public abstract class VectordbContract {
    private final Map<String, Handler<HttpServerRequest>> pages = new ConcurrentHashMap<>();
    private HttpServer server;

    @TempDir
    Path own;

    Path temp;
    Path folder;
    ToolCaller tools;

    /** Starts what is tested: {@code folder} is open for ingestion, private addresses may be fetched. */
    protected abstract ToolCaller start(Path data) throws Exception;

    protected abstract void stop();

    /** The empty folder where the one that is open for ingestion is made, {@code docs}. */
    protected Path place(Path mine) throws IOException {
        return mine;
    }

    @BeforeEach
    void begin(Vertx vertx) throws Exception {
        temp = place(own);
        folder = Files.createDirectory(temp.resolve("docs")).toRealPath();
        server = vertx.createHttpServer()
                .requestHandler(request -> pages.getOrDefault(
                                request.path(),
                                r -> r.response().setStatusCode(404).end())
                        .handle(request))
                .listen(0, "127.0.0.1")
                .await();
        tools = start(temp.resolve("data"));
    }

    @AfterEach
    void end() {
        stop();
    }

    // ---- ingest_file

    @Test
    void aFileIsIndexedThenSkippedThenReplaced() throws IOException {
        Path file = write("a.md", "# Title\n\nThe quick brown fox.");
        JsonNode first = ok(ingest("a.md"));
        assertEquals("indexed", first.path("status").asText());
        assertEquals(file.toString(), first.path("source").asText());
        assertEquals("default", first.path("library").asText());
        assertEquals(1, first.path("chunk_count").asInt());
        JsonNode again = ok(ingest(file.toString()));
        assertEquals("skipped", again.path("status").asText());
        assertEquals(first.path("doc_id"), again.path("doc_id"));
        assertEquals(1, again.path("chunk_count").asInt());
        write("a.md", "# Title\n\nThe slow green turtle.");
        JsonNode changed = ok(ingest("a.md"));
        assertEquals("replaced", changed.path("status").asText());
        assertNotEquals(first.path("doc_id"), changed.path("doc_id"));
        assertEquals(1, documents("{}").path("total").asInt());
        assertTrue(content(search("turtle")).contains("turtle"));
        assertEquals("NOT_FOUND", get(first.path("doc_id").asText()).errorKind());
    }

    @Test
    void aFailedReplaceKeepsTheOldDocument() throws IOException {
        write("a.json", "{\"animal\": \"wombat\"}");
        String id = ok(ingest("a.json")).path("doc_id").asText();
        write("a.json", "{\"animal\": ");
        ToolResult failed = ingest("a.json");
        assertTrue(failed.isError());
        assertTrue(
                failed.text().contains("Ingestion failed") && failed.text().contains("not valid JSON"), failed.text());
        assertTrue(content(search("wombat")).contains("wombat"));
        assertEquals("{\"animal\": \"wombat\"}", ok(get(id)).path("content").asText());
    }

    @Test
    void fiveWordsAreADocument() throws IOException {
        write("note.txt", "remember the blue umbrella tomorrow");
        assertEquals(1, ok(ingest("note.txt")).path("chunk_count").asInt());
        assertEquals("remember the blue umbrella tomorrow", content(search("umbrella")));
    }

    @Test
    void aFileWithoutTextIsAnError() throws IOException {
        write("empty.txt", "");
        write("blank.md", " \n\t\n");
        assertTrue(ingest("empty.txt").text().contains("No usable chunks produced from '"));
        assertTrue(ingest("blank.md").isError());
        assertEquals(0, documents("{}").path("total").asInt());
    }

    @ParameterizedTest
    @ValueSource(strings = {"virus.exe", "movie.mkv", "README", "archive.7z"})
    void otherFormatsAreRefusedByName(String name) throws IOException {
        write(name, "some text");
        ToolResult result = ingest(name);
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        assertTrue(result.text().contains("Unsupported format: "), result.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "../outside.md", "sub/../../outside.md", "link.md", "linkdir/outside.md"})
    void filesOutsideTheFoldersAreDenied(String path) throws IOException {
        Files.writeString(temp.resolve("outside.md"), "secret");
        Files.createDirectory(folder.resolve("sub"));
        Files.createSymbolicLink(folder.resolve("link.md"), temp.resolve("outside.md"));
        Files.createSymbolicLink(folder.resolve("linkdir"), temp);
        ToolResult result = ingest(path);
        assertEquals("DENIED", result.errorKind(), result.text());
        assertTrue(result.text().contains("ingestRoots"), result.text());
        assertEquals(0, documents("{}").path("total").asInt());
    }

    @Test
    void whetherAFileOutsideExistsIsNotTold() {
        ToolResult there = ingest("/etc/hostname");
        ToolResult missing = ingest("/etc/no-such-file");
        assertEquals(there.text().replace("/etc/hostname", "X"), missing.text().replace("/etc/no-such-file", "X"));
    }

    @Test
    void aLinkWithinTheFoldersIsTheFileItPointsTo() throws IOException {
        Path file = write("real.md", "# Real\n\ntext");
        Files.createSymbolicLink(folder.resolve("alias.md"), file);
        assertEquals(file.toString(), ok(ingest("alias.md")).path("source").asText());
        assertEquals("skipped", ok(ingest("real.md")).path("status").asText());
    }

    @Test
    void missingFilesAndFoldersAreNamed() throws IOException {
        Files.createDirectory(folder.resolve("sub"));
        assertEquals("NOT_FOUND", ingest("none.md").errorKind());
        assertTrue(ingest("sub").text().contains("not a file"));
        assertTrue(ingest("").isError());
        assertTrue(ingest("a\u0000b.md").isError());
    }

    @Test
    void namesInEveryScriptWork() throws IOException {
        Path file = write("Größe 日本語 😀.md", "# Überschrift\n\nلنص العربي 日本語のテキスト");
        assertEquals(
                file.toString(),
                ok(ingest(file.getFileName().toString())).path("source").asText());
        JsonNode hit = search("日本語").path("results").path(0);
        assertEquals("Überschrift", hit.path("title").asText());
    }

    @Test
    void newMetadataForTheSameBytesKeepsTheDocument() throws IOException {
        write("a.md", "stable words");
        String id = ok(ingest("a.md", "{\"team\":\"red\"}")).path("doc_id").asText();
        JsonNode changed = ok(ingest("a.md", "{\"team\":\"blue\",\"level\":3}"));
        assertEquals("replaced", changed.path("status").asText());
        assertEquals(id, changed.path("doc_id").asText());
        assertEquals(
                "skipped",
                ok(ingest("a.md", "{\"team\":\"blue\",\"level\":3}"))
                        .path("status")
                        .asText());
        assertEquals("skipped", ok(ingest("a.md")).path("status").asText());
        assertEquals("{\"team\":\"blue\",\"level\":3}", Json.text(ok(get(id)).path("metadata")));
        assertEquals(
                1,
                search("stable", "\"filter\":{\"metadata.team\":\"blue\",\"metadata.level\":3}")
                        .path("results")
                        .size());
        assertEquals(
                0,
                search("stable", "\"filter\":{\"metadata.team\":\"red\"}")
                        .path("results")
                        .size());
    }

    @Test
    void tooMuchMetadataIsRefused() throws IOException {
        write("a.md", "text");
        ToolResult result = ingest("a.md", "{\"blob\":\"" + "x".repeat(40_000) + "\"}");
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        assertTrue(result.text().contains("metadata is larger"), result.text());
    }

    @Test
    void theSameFileInTwoLibrariesIsTwoDocuments() throws IOException {
        write("a.md", "shared words");
        String one = ok(call("ingest_file", "{\"path\":\"a.md\",\"library\":\"one\"}"))
                .path("doc_id")
                .asText();
        String two = ok(call("ingest_file", "{\"path\":\"a.md\",\"library\":\"two\"}"))
                .path("doc_id")
                .asText();
        assertNotEquals(one, two);
        ok(call("delete_document", "{\"doc_id\":\"" + one + "\"}"));
        assertEquals(
                "two", search("shared").path("results").path(0).path("library").asText());
    }

    @Test
    void concurrentIngestsOfOneFileMakeOneDocument() throws Exception {
        write("a.md", "racing words");
        List<String> statuses = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<ToolResult>> all = IntStream.range(0, 8)
                    .mapToObj(_ -> threads.submit(() -> ingest("a.md")))
                    .toList();
            for (Future<ToolResult> one : all) {
                statuses.add(ok(one.get()).path("status").asText());
            }
        }
        assertEquals(1, statuses.stream().filter("indexed"::equals).count(), statuses.toString());
        assertEquals(7, statuses.stream().filter("skipped"::equals).count(), statuses.toString());
        assertEquals(1, documents("{}").path("total").asInt());
    }

    // ---- ingest_url

    @Test
    void aPageIsIndexedUnderItsHeading() {
        page("/p", "text/html", "<title>T</title><h1>The heading</h1><p>Zebras graze.</p>");
        JsonNode result = ok(ingestUrl(url("/p")));
        assertEquals("indexed", result.path("status").asText());
        assertEquals(url("/p"), result.path("source").asText());
        JsonNode hit = search("zebras").path("results").path(0);
        assertEquals("The heading", hit.path("title").asText());
        assertEquals("url", hit.path("file_type").asText());
        assertEquals("skipped", ok(ingestUrl(url("/p"))).path("status").asText());
        page("/p", "text/html", "<h1>The heading</h1><p>Lions sleep.</p>");
        assertEquals("replaced", ok(ingestUrl(url("/p"))).path("status").asText());
    }

    @Test
    void theContentTypeDecidesHowAPageIsRead() {
        page("/data", "application/json; charset=utf-8", "{\"city\": \"Köln\"}");
        assertEquals(
                "{\"city\": \"Köln\"}",
                ok(get(ok(ingestUrl(url("/data"))).path("doc_id").asText()))
                        .path("content")
                        .asText());
        page("/n.html", "text/plain", "<b>plain</b>");
        page("/program", "application/x-msdownload", "MZ");
        ToolResult refused = ingestUrl(url("/program"));
        assertTrue(refused.text().contains("Unsupported format: application/x-msdownload"), refused.text());
    }

    @Test
    void frontMatterOfAMarkdownPageSaysWhoReadsIt() {
        String type = "text/markdown; charset=iso-8859-1";
        page("/p", type, "---\nallow: [group:hr]\ntags: [a]\n---\nWords.");
        JsonNode stored = ok(get(ok(ingestUrl(url("/p"))).path("doc_id").asText()));
        assertEquals("[\"group:hr\"]", stored.path("allow").toString());
        assertEquals("---\ntags: [a]\n---\nWords.", stored.path("content").asText());
        page("/p", type, "---\nallow: hr\n---\nWords.");
        ToolResult refused = ingestUrl(url("/p"));
        assertEquals("INVALID_ARGUMENT", refused.errorKind());
        assertTrue(refused.text().contains("front matter") && refused.text().contains("/p"), refused.text());
    }

    @Test
    void lastModifiedOfAPageIsIso() {
        pages.put("/p", r -> r.response()
                .putHeader("Content-Type", "text/markdown")
                .putHeader("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
                .end("# Dated\n\nwords"));
        ok(ingestUrl(url("/p")));
        JsonNode hit = search("dated", "\"filter\":{\"last_modified\":\"2015-10-21T09:28:00+02:00\"}")
                .path("results");
        assertEquals(
                "2015-10-21T07:28:00+00:00", hit.path(0).path("last_modified").asText());
    }

    @Test
    void pagesThatCannotBeFetchedSayWhy() {
        assertTrue(ingestUrl(url("/none")).text().contains("HTTP 404 fetching '" + url("/none") + "'"));
        assertTrue(ingestUrl("http://127.0.0.1:1/").text().contains("Network error fetching 'http://127.0.0.1:1/'"));
        for (String bad : List.of("ftp://x/y", "file:///etc/passwd", "", "example.com")) {
            assertTrue(ingestUrl(bad).text().contains("URL must start with http:// or https://"), bad);
        }
        assertEquals(0, documents("{}").path("total").asInt());
    }

    // ---- search

    @Test
    void hitsCarryEveryDocumentedField() throws IOException {
        Path file = write("a.md", "# Guide\n\nHow to fold paper cranes.");
        ok(ingest("a.md", "{\"k\":\"v\"}"));
        JsonNode answer = search("paper cranes");
        assertEquals("hybrid", answer.path("mode").asText(), answer.toString());
        JsonNode hit = answer.path("results").path(0);
        assertEquals(file.toString(), hit.path("source").asText());
        assertEquals("Guide", hit.path("title").asText());
        assertEquals("default", hit.path("library").asText());
        assertEquals("md", hit.path("file_type").asText());
        assertEquals(
                Files.getLastModifiedTime(file).toInstant().getEpochSecond(),
                OffsetDateTime.parse(hit.path("last_modified").asText()).toEpochSecond());
        assertTrue(hit.path("last_modified").asText().endsWith("+00:00"));
        assertEquals(0, hit.path("page").asInt(-1));
        assertEquals("# Guide\n\nHow to fold paper cranes.", hit.path("content").asText());
        assertEquals(0, hit.path("chunk_index").asInt(-1));
        assertEquals("{\"k\":\"v\"}", Json.text(hit.path("metadata")));
        assertTrue(hit.path("score").isNumber());
        assertEquals(1, hit.path("keyword_rank").asInt());
        assertEquals(1, hit.path("vector_rank").asInt());
        assertTrue(hit.path("vector_score").asDouble() <= 1.0001);
    }

    @Test
    void aRareWordIsFoundAmongManyDocuments() throws IOException {
        for (int i = 0; i < 30; i++) {
            write("d" + i + ".txt", "a report about sales in region number " + i);
            ok(ingest("d" + i + ".txt"));
        }
        write("rare.txt", "a note mentioning xylopyrometer once");
        ok(ingest("rare.txt"));
        assertTrue(content(search("xylopyrometer")).contains("xylopyrometer"));
        assertEquals(7, search("report", "\"top_k\":7").path("results").size());
    }

    @Test
    void longDocumentsAreFoundByTheirLastWords() throws IOException {
        write("long.txt", words(5000) + " thelastunusualword");
        int chunks = ok(ingest("long.txt")).path("chunk_count").asInt();
        assertTrue(chunks > 5);
        JsonNode hit = search("thelastunusualword").path("results").path(0);
        assertEquals(chunks - 1, hit.path("chunk_index").asInt());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"top_k\":0",
                "\"top_k\":101",
                "\"top_k\":1.5",
                "\"top_k\":\"5\"",
                "\"fusion\":\"magic\"",
                "\"limit\":3"
            })
    void argumentsOutOfRangeAreErrors(String argument) {
        ToolResult result = call("search", "{\"query\":\"x\"," + argument + "}");
        assertEquals("INVALID_ARGUMENT", result.errorKind(), result.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "\\n\\t"})
    void blankQueriesAreErrors(String query) {
        assertTrue(call("search", "{\"query\":\"" + query + "\"}").text().contains("query must not be empty"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C++",
                "what's",
                "foo-bar",
                "\\\"",
                "the of and",
                "a AND (",
                "title:x^3",
                "*",
                "[1 TO",
                "\\\\",
                "😀",
                "'; DROP TABLE chunks; --",
                "field:(a OR",
                "~",
                "NOT",
                "日本"
            })
    void querySyntaxIsText(String query) throws IOException {
        write("a.md", "C++ and what's foo-bar");
        ok(ingest("a.md"));
        ToolResult result = call("search", "{\"query\":\"" + query + "\"}");
        assertFalse(result.isError(), result.text());
    }

    @Test
    void filtersNarrowBeforeTheTopIsTaken() throws IOException {
        for (int i = 0; i < 20; i++) {
            write("t" + i + ".txt", "penguin penguin penguin " + i);
            ok(ingest("t" + i + ".txt"));
        }
        write("m.md", "a long remark that mentions a penguin only once among many other words of no interest");
        String id = ok(call("ingest_file", "{\"path\":\"m.md\",\"library\":\"zoo\"}"))
                .path("doc_id")
                .asText();
        for (String filter : List.of(
                "{\"file_type\":\"md\"}",
                "{\"library\":\"zoo\"}",
                "{\"file_type\":\"md\",\"page\":0,\"chunk_index\":0}",
                "{\"doc_id\":\"" + id + "\"}",
                "{\"source\":\"" + folder.resolve("m.md") + "\"}",
                "{\"title\":\"m.md\"}")) {
            JsonNode results =
                    search("penguin", "\"top_k\":1,\"filter\":" + filter).path("results");
            assertEquals(1, results.size(), filter);
            assertEquals("md", results.path(0).path("file_type").asText(), filter);
        }
        assertEquals(1, search("penguin", "\"library\":\"zoo\"").path("results").size());
        assertEquals(
                0,
                search("penguin", "\"library\":\"zoo\",\"filter\":{\"library\":\"default\"}")
                        .path("results")
                        .size());
        ToolResult unknown = call("search", "{\"query\":\"penguin\",\"library\":\"unknown\"}");
        assertEquals("NOT_FOUND", unknown.errorKind());
        assertEquals(
                "There is no library \"unknown\". list_libraries shows those there are; the first document makes one.",
                message(unknown));
        assertEquals(
                0,
                search("penguin", "\"filter\":{\"file_type\":\"md\",\"page\":3}")
                        .path("results")
                        .size());
        assertEquals(
                0,
                search("penguin", "\"filter\":{\"file_type\":\"m' OR '1'='1\"}")
                        .path("results")
                        .size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a;b\":1}",
                "{\"nope\":1}",
                "{\"a b\":1}",
                "{\"metadata.\":1}",
                "{\"page\":\"three\"}",
                "{\"created_at\":\"yesterday\"}",
                "{\"last_modified\":\"x\"}",
                "{\"last_modified\":2025}",
                "{\"title\":null}",
                "{\"title\":[\"a\"]}",
                "{\"content\":\"x\"}"
            })
    void badFiltersAreErrorsThatNameTheField(String filter) {
        ToolResult result = call("search", "{\"query\":\"x\",\"filter\":" + filter + "}");
        assertEquals("INVALID_ARGUMENT", result.errorKind(), result.toString());
        assertTrue(result.text().contains("filter"), result.text());
    }

    @Test
    void bothFusionsAnswer() throws IOException {
        write("a.md", "alpha beta");
        write("b.md", "beta gamma");
        ok(ingest("a.md"));
        ok(ingest("b.md"));
        assertEquals("alpha beta", content(search("alpha", "\"fusion\":\"rrf\"")));
        assertEquals("alpha beta", content(search("alpha", "\"fusion\":\"linear\"")));
        double best = search("alpha beta", "\"fusion\":\"rrf\"")
                .path("results")
                .path(0)
                .path("score")
                .asDouble();
        assertEquals(2.0 / 61, best, 6e-6);
    }

    @Test
    void searchingNothingFindsNothing() {
        assertEquals(0, search("anything").path("results").size());
    }

    // ---- list_documents, list_libraries

    @Test
    void documentsAreListedNewestFirstInPages() throws IOException {
        for (String name : List.of("one.md", "two.md", "three.md")) {
            write(name, "# " + name + "\n\ntext");
            ok(ingest(name));
        }
        JsonNode first = documents("{\"limit\":2}");
        assertEquals(2, first.path("count").asInt());
        assertEquals(3, first.path("total").asInt());
        assertEquals("three.md", first.path("documents").path(0).path("title").asText());
        assertEquals("two.md", first.path("documents").path(1).path("title").asText());
        JsonNode rest = documents("{\"limit\":2,\"offset\":2}");
        assertEquals(1, rest.path("count").asInt());
        assertEquals("one.md", rest.path("documents").path(0).path("title").asText());
        assertEquals(0, documents("{\"offset\":3}").path("count").asInt());
        assertEquals(0, documents("{\"library\":\"unknown\"}").path("documents").size());
        assertEquals(3, documents("{\"library\":\"default\"}").path("count").asInt());
    }

    @Test
    void aListedDocumentHasEveryDocumentedField() throws Exception {
        Path file = write("a.md", "# A\n\ntext");
        String id = ok(ingest("a.md", "{\"x\":{\"y\":[1,2]}}")).path("doc_id").asText();
        JsonNode document = documents("{}").path("documents").path(0);
        assertEquals(id, document.path("doc_id").asText());
        assertEquals(file.toString(), document.path("source").asText());
        assertEquals("A", document.path("title").asText());
        assertEquals("default", document.path("library").asText());
        assertEquals(sha256("# A\n\ntext"), document.path("content_hash").asText());
        Instant created =
                OffsetDateTime.parse(document.path("created_at").asText()).toInstant();
        assertTrue(created.isBefore(Instant.now().plusSeconds(1)));
        assertEquals("{\"x\":{\"y\":[1,2]}}", Json.text(document.path("metadata")));
        assertEquals(1, document.path("chunk_count").asInt());
        assertEquals(
                1,
                search(
                                "text",
                                "\"filter\":{\"created_at\":\""
                                        + document.path("created_at").asText() + "\"}")
                        .path("results")
                        .size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"limit\":0}", "{\"limit\":1001}", "{\"offset\":-1}", "{\"library\":\"\"}", "{\"library\":5}"})
    void badPagesAreErrors(String arguments) {
        assertEquals("INVALID_ARGUMENT", call("list_documents", arguments).errorKind());
    }

    @Test
    void librariesAreCountedAndSorted() throws IOException {
        assertEquals(0, libraries().size());
        write("a.md", "one");
        write("b.md", words(3000));
        ok(call("ingest_file", "{\"path\":\"a.md\",\"library\":\"zeta\"}"));
        ok(call("ingest_file", "{\"path\":\"a.md\",\"library\":\"Ä b/c..\"}"));
        int chunks = ok(call("ingest_file", "{\"path\":\"b.md\",\"library\":\"zeta\"}"))
                .path("chunk_count")
                .asInt();
        JsonNode libraries = libraries();
        assertEquals(2, libraries.size());
        assertEquals("zeta", libraries.path(0).path("library").asText());
        assertEquals(2, libraries.path(0).path("document_count").asInt());
        assertEquals(chunks + 1, libraries.path(0).path("chunk_count").asInt());
        assertEquals("Ä b/c..", libraries.path(1).path("library").asText());
        for (JsonNode document : documents("{\"library\":\"zeta\"}").path("documents")) {
            ok(call(
                    "delete_document",
                    "{\"doc_id\":\"" + document.path("doc_id").asText() + "\"}"));
        }
        assertEquals(1, libraries().size());
    }

    // ---- delete_document, get_document

    @Test
    void deletingTellsHowMuchThereWas() throws IOException {
        write("a.md", words(3000));
        write("b.md", "other words stay");
        JsonNode document = ok(ingest("a.md"));
        ok(ingest("b.md"));
        String arguments = "{\"doc_id\":\"" + document.path("doc_id").asText() + "\"}";
        JsonNode deleted = ok(call("delete_document", arguments));
        assertEquals("deleted", deleted.path("status").asText());
        assertEquals(document.path("chunk_count"), deleted.path("deleted_chunks"));
        assertTrue(deleted.path("found").asBoolean());
        assertEquals(
                "Document not found: " + document.path("doc_id").asText() + ". search and list_documents give the ids.",
                message(call("get_document", arguments)));
        JsonNode again = ok(call("delete_document", arguments));
        assertEquals(0, again.path("deleted_chunks").asInt(-1));
        assertFalse(again.path("found").asBoolean(true));
        assertEquals("other words stay", content(search("words stay")));
        assertEquals("indexed", ok(ingest("a.md")).path("status").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"get_document", "delete_document"})
    void blankIdsAreErrors(String tool) {
        assertTrue(call(tool, "{\"doc_id\":\" \"}").text().contains("doc_id must not be empty"));
        assertTrue(call(tool, "{\"doc_id\":\"\"}").isError());
        assertTrue(call(tool, "{}").isError());
    }

    @Test
    void theWholeTextComesBackExactly() throws IOException {
        String text =
                "# Long\n\n" + words(5000) + "\n\n```\ncode  with   spaces\n```\n\n| a |\n|---|\n| ü😀 |\n\nthe end\n";
        write("long.md", text);
        String id = ok(ingest("long.md")).path("doc_id").asText();
        JsonNode document = ok(get(id));
        assertEquals(text, document.path("content").asText());
        assertEquals(text.length(), document.path("total_chars").asInt());
        assertTrue(document.path("next_offset").isMissingNode());
        assertEquals("Long", document.path("title").asText());
        StringBuilder parts = new StringBuilder();
        int offset = 0;
        while (offset >= 0) {
            JsonNode part = ok(
                    call("get_document", "{\"doc_id\":\"" + id + "\",\"max_chars\":9973,\"offset\":" + offset + "}"));
            parts.append(part.path("content").asText());
            offset = part.path("next_offset").asInt(-1);
        }
        assertEquals(text, parts.toString());
        assertEquals(
                "",
                ok(call("get_document", "{\"doc_id\":\"" + id + "\",\"offset\":900000}"))
                        .path("content")
                        .asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "00000000-0000-0000-0000-000000000000", "../../etc", "*", "\\u0000", "' OR 1=1"})
    void unknownIdsAreNotFound(String id) {
        ToolResult result = call("get_document", "{\"doc_id\":\"" + id + "\"}");
        assertEquals("NOT_FOUND", result.errorKind());
        assertTrue(result.text().contains("Document not found: "), result.text());
    }

    @Test
    void chunksOfALongDocumentShowTheirHeadings() throws IOException {
        String text =
                "# Manual\n\n" + words(400) + "\n\n## Setup\n\nplatypus " + words(300) + "\n\n## Use\n\n" + words(400);
        write("manual.md", text);
        ok(ingest("manual.md"));
        JsonNode hit = search("platypus").path("results").path(0);
        assertEquals("Manual > Setup", hit.path("heading").asText());
        assertTrue(text.contains(hit.path("content").asText()));
    }

    @Test
    void structuredAnswersRepeatAsText() throws IOException {
        write("a.md", "words");
        ToolResult result = ingest("a.md");
        assertEquals(result.structured(), Json.parse(result.text()));
        Set<String> fields = new HashSet<>();
        result.structured().fieldNames().forEachRemaining(fields::add);
        assertEquals(Set.of("status", "doc_id", "source", "library", "chunk_count"), fields);
    }

    // ---- shorthand

    final Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    final ToolResult call(String tool, String json) {
        return tools.call(tool, json);
    }

    final ToolResult ingest(String path) {
        ObjectNode arguments = Json.object();
        arguments.put("path", path);
        return tools.call("ingest_file", arguments);
    }

    final ToolResult ingest(String path, String metadata) {
        return call("ingest_file", "{\"path\":\"" + path + "\",\"metadata\":" + metadata + "}");
    }

    final ToolResult ingestUrl(String url) {
        return call("ingest_url", "{\"url\":\"" + url + "\"}");
    }

    final ToolResult get(String id) {
        return call("get_document", "{\"doc_id\":\"" + id + "\"}");
    }

    final JsonNode documents(String arguments) {
        return ok(call("list_documents", arguments));
    }

    final JsonNode libraries() {
        return ok(call("list_libraries", "{}")).path("libraries");
    }

    final JsonNode search(String query) {
        return ok(call("search", "{\"query\":\"" + query + "\"}"));
    }

    final JsonNode search(String query, String more) {
        return ok(call("search", "{\"query\":\"" + query + "\"," + more + "}"));
    }

    static String content(JsonNode answer) {
        return answer.path("results").path(0).path("content").asText();
    }

    static JsonNode ok(ToolResult result) {
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }

    static String message(ToolResult result) {
        return result.error().path("message").asText();
    }

    final void page(String path, String type, String body) {
        pages.put(path, r -> r.response().putHeader("Content-Type", type).end(body));
    }

    final void answer(String path, Handler<HttpServerRequest> handler) {
        pages.put(path, handler);
    }

    final String url(String path) {
        return "http://127.0.0.1:" + server.actualPort() + path;
    }

    static String words(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> i % 40 == 39 ? "word" + i + ".\n\n" : "word" + i % 211)
                .collect(Collectors.joining(" "))
                .replace("\n ", "\n")
                .strip();
    }

    private static String sha256(String text) throws NoSuchAlgorithmException {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
