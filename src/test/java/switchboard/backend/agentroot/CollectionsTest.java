package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendEvent;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;

/** collection_add, collection_remove, collection_update, status, get and multi_get. */
class CollectionsTest extends AgentrootFixture {
    // ---- collection_add

    @Test
    void aDuplicateNameIsRefused() {
        index("docs");
        assertEquals(
                "CONFLICT",
                call("collection_add", "{'name':'docs','path':'" + folder + "'}")
                        .errorKind());
    }

    @Test
    void anUnknownProviderIsRefused() {
        String ftp = "{'name':'a','path':'" + folder + "','provider':'ftp'}";
        assertEquals("INVALID_ARGUMENT", call("collection_add", ftp).errorKind());
    }

    @Test
    void optionsAreAnObjectOrItsJson() {
        assertFalse(call("collection_add", "{'name':'a','path':'" + folder + "','config':{'exclude_hidden':true}}")
                .isError());
        assertTrue(call("collection_add", "{'name':'e','path':'" + folder + "','config':{'x':1}}")
                .text()
                .contains("no option x"));
        assertFalse(call("collection_add", "{'name':'b','path':'" + folder + "','config':'{}'}")
                .isError());
        assertTrue(call("collection_add", "{'name':'c','path':'" + folder + "','config':'{'}")
                .isError());
        assertTrue(call("collection_add", "{'name':'d','path':'" + folder + "','config':{'x':{}}}")
                .isError());
    }

    @Test
    void namesThatCouldBeTakenForPathsAreRefused() {
        for (String name : List.of("#memory", "a/b", "..", "a*", " a", "a,b", "a:b")) {
            assertEquals(
                    "INVALID_ARGUMENT",
                    call("collection_add", "{'name':'" + name + "','path':'" + folder + "'}")
                            .errorKind(),
                    name);
        }
    }

    @Test
    void aNameHasUpTo100Characters() {
        String add = "{'name':'%s','path':'" + folder + "'}";
        assertFalse(call("collection_add", add.formatted("n".repeat(100))).isError());
        assertEquals(
                "INVALID_ARGUMENT",
                call("collection_add", add.formatted("n".repeat(101))).errorKind());
    }

    @Test
    void anAnswerHoldsUpTo100FilesAndNamesUpTo100Others() throws IOException {
        for (int i = 0; i < 201; i++) {
            write("f%03d.md".formatted(i), "text");
        }
        index("docs");
        JsonNode reply = ok("multi_get", "{'pattern':'*.md'}");
        assertEquals(100, reply.path("files").size());
        assertEquals(100, reply.path("count").asInt());
        assertEquals(100, reply.path("skipped").size());
        assertEquals(101, reply.path("skippedTotal").asInt());
    }

    @Test
    void onlyFoldersBelowTheRootsAreTaken() throws IOException {
        Path outside = Files.createDirectory(temp.resolve("outside"));
        Files.writeString(outside.resolve("secret.md"), "secret");
        Files.createSymbolicLink(folder.resolve("link"), outside);
        for (String path : List.of(outside.toString(), folder + "/../outside", folder + "/link", "../outside")) {
            assertEquals(
                    "DENIED",
                    call("collection_add", "{'name':'x','path':'" + path + "'}").errorKind(),
                    path);
        }
        write("a.md", "open");
        JsonNode updated = index("docs", "**/*");
        assertEquals(1, updated.path("filesUpdated").asInt());
        assertEquals("link", updated.path("skipped").path(0).path("path").asText());
    }

    // ---- collection_update

    @Test
    void anUpdateTakesOnlyWhatChanged() throws IOException {
        write("a.md", "# Alpha\n\nfirst");
        write("b.md", "# Beta\n\nsecond");
        write("c.md", "# Gamma\n\nthird");
        assertEquals(3, index("docs").path("filesUpdated").asInt());
        assertEquals(0, update("docs").path("filesUpdated").asInt());
        write("a.md", "# Alpha\n\nchanged");
        Files.delete(folder.resolve("b.md"));
        JsonNode third = update("docs");
        assertEquals(1, third.path("filesUpdated").asInt());
        assertEquals(1, third.path("removed").asInt());
        assertEquals(List.of(), found("search", "second"));
        assertEquals(List.of("docs/a.md"), found("search", "changed"));
        assertEquals(List.of(), found("search", "first"));
    }

    @Test
    void whatCantBeReadIsNamedAndStopsNothing() throws IOException {
        write("a.md", "fine");
        Files.write(folder.resolve("b.md"), new byte[] {'x', 0, (byte) 0xFF});
        Files.write(folder.resolve("c.md"), new byte[2 << 20]);
        JsonNode updated = index("docs");
        assertEquals(1, updated.path("filesUpdated").asInt());
        assertEquals(List.of("b.md", "c.md"), texts(updated.path("skipped"), "path"));
        assertTrue(updated.path("complete").asBoolean());
    }

    @Test
    void aDocumentThatBecomesUnreadableStaysAsItWas() throws IOException {
        write("a.md", "heron");
        index("docs");
        Files.write(folder.resolve("a.md"), new byte[] {0, 1, 2});
        assertEquals(1, update("docs").path("skippedTotal").asInt());
        assertEquals(List.of("docs/a.md"), found("search", "heron"));
    }

    @Test
    void aRenamedDocumentKeepsItsMetadata() throws IOException {
        write("old.md", "walrus");
        index("docs");
        ok("metadata_add", "{'docid':'docs/old.md','metadata':{'author':'Alice'}}");
        Files.move(folder.resolve("old.md"), folder.resolve("new.md"));
        JsonNode updated = update("docs");
        assertEquals(1, updated.path("renamed").asInt());
        assertEquals(1, updated.path("removed").asInt());
        JsonNode metadata = ok("metadata_get", "{'docid':'docs/new.md'}").path("metadata");
        assertEquals("Alice", metadata.path("author").path("value").asText());
    }

    @Test
    void ignoredHiddenAndBuiltFilesAreLeftOut() throws IOException {
        write(".gitignore", "*.log\n/private/\n!keep.log\n");
        write("a.md", "a");
        write("x.log", "x");
        write("keep.log", "kept");
        write("private/p.md", "p");
        write("sub/.gitignore", "b.md\n");
        write("sub/b.md", "b");
        write("sub/c.md", "c");
        write("node_modules/n.md", "n");
        write(".hidden/h.md", "h");
        index("docs");
        assertEquals(
                List.of("docs/a.md", "docs/keep.log", "docs/sub/c.md"),
                texts(ok("multi_get", "{'pattern':'docs/*'}").path("files"), "file"));
    }

    @Test
    void aLoopOfLinksEnds() throws IOException {
        write("a/b.md", "b");
        Files.createSymbolicLink(folder.resolve("a/up"), folder);
        assertEquals(1, index("docs", "a/*.md").path("filesUpdated").asInt());
        assertTrue(update("docs").path("complete").asBoolean());
    }

    @Test
    void anUpdateThatRunsOutOfTimeGoesOnWithTheNextCall() throws IOException {
        for (int i = 0; i < 40; i++) {
            write("f" + i + ".md", "text number " + i);
        }
        backend.close();
        backend = open(true, Duration.ofMillis(1));
        JsonNode first = index("docs");
        assertFalse(first.path("complete").asBoolean());
        assertTrue(first.path("remaining").asInt() > 0);
        int rounds = 0;
        while (!update("docs").path("complete").asBoolean()) {
            assertTrue(++rounds < 100);
        }
        assertEquals(40, ok("status", "{}").path("totalDocuments").asInt());
    }

    @Test
    void anOriginThatIsGoneRemovesNothing() throws IOException {
        write("sub/a.md", "heron");
        index("docs", folder.resolve("sub"), "**/*");
        Files.move(folder.resolve("sub"), folder.resolve("elsewhere"));
        assertEquals("NOT_FOUND", call("collection_update", "{'name':'docs'}").errorKind());
        assertEquals(List.of("docs/a.md"), found("search", "heron"));
    }

    @Test
    void progressIsTold() throws IOException {
        write("a.md", "a");
        write("b.md", "b");
        index("docs");
        List<Double> steps = backend.events().stream()
                .filter(BackendEvent.CallProgress.class::isInstance)
                .map(event -> ((BackendEvent.CallProgress) event).progress())
                .toList();
        assertEquals(List.of(0.0, 1.0, 2.0), steps);
    }

    @Test
    void withoutTheModelDocumentsAreKeptAndEmbeddedLater() throws IOException {
        write("a.md", "heron");
        embedder.failWith("the model broke");
        JsonNode updated = index("docs");
        assertEquals("the model broke", updated.path("withoutVectors").asText());
        assertEquals(List.of("docs/a.md"), found("search", "heron"));
        assertEquals(1, ok("status", "{}").path("needsEmbedding").asInt());
        assertFalse(ok("status", "{}").path("hasVectorIndex").asBoolean());
        assertEquals(0, update("docs").path("filesUpdated").asInt());
        embedder.failWith(null);
        assertEquals(1, update("docs").path("filesUpdated").asInt());
        assertEquals(0, ok("status", "{}").path("needsEmbedding").asInt());
        assertTrue(ok("status", "{}").path("hasVectorIndex").asBoolean());
    }

    // ---- collection_remove

    @Test
    void aRemovedCollectionIsGoneAndCanBeAddedAgain() throws IOException {
        write("a.md", "heron");
        index("docs");
        assertTrue(ok("collection_remove", "{'name':'docs'}").path("removed").asBoolean());
        assertEquals(List.of(), found("search", "heron"));
        assertEquals(1, index("docs").path("filesUpdated").asInt());
        assertEquals(List.of("docs/a.md"), found("search", "heron"));
    }

    @Test
    void removingWhatIsNotThereSaysSo() {
        var result = call("collection_remove", "{'name':'nope'}");
        assertTrue(result.isError());
        assertFalse(result.error().path("removed").asBoolean(true));
        assertEquals("Collection not found: nope. status lists the collections.", result.text());
    }

    // ---- status

    @Test
    void statusCountsDocuments() throws IOException {
        for (String file : List.of("one/a.md", "one/b.md", "one/c.md", "two/a.md", "two/b.md")) {
            write(file, "text of " + file);
        }
        index("one", folder.resolve("one"), "**/*");
        index("two", folder.resolve("two"), "**/*");
        JsonNode status = ok("status", "{}");
        assertEquals(5, status.path("totalDocuments").asInt());
        assertEquals(List.of("one", "two"), texts(status.path("collections"), "name"));
        assertEquals(List.of("3", "2"), texts(status.path("collections"), "documents"));
        assertEquals(List.of("file"), texts(status.path("providers")));
        Files.delete(folder.resolve("one/a.md"));
        update("one");
        assertEquals(4, ok("status", "{}").path("totalDocuments").asInt());
    }

    @Test
    void allSurvivesARestart() throws IOException {
        write("a.md", "heron");
        index("docs");
        ok("metadata_add", "{'docid':'docs/a.md','metadata':{'n':1}}");
        ok("memory_store", "{'content':'likes birds','category':'preference'}");
        restart(true);
        assertEquals(1, ok("status", "{}").path("totalDocuments").asInt());
        assertEquals(List.of("docs/a.md"), found("search", "heron"));
        assertEquals(1, ok("memory_list", "{}").path("count").asInt());
        assertEquals(
                1, ok("metadata_get", "{'docid':'docs/a.md'}").path("metadata").size());
    }

    // ---- who sees what

    @Test
    void aScopeHidesCollections() throws IOException {
        write("one/a.md", "heron one");
        write("two/a.md", "heron two");
        index("one", folder.resolve("one"), "**/*");
        index("two", folder.resolve("two"), "**/*");
        backend.as(caller -> scoped(caller, "one"));
        assertEquals(List.of("one/a.md"), found("search", "heron"));
        assertEquals(List.of("one"), texts(ok("status", "{}").path("collections"), "name"));
        assertEquals(
                "DENIED", call("search", "{'query':'heron','collection':'two'}").errorKind());
        assertEquals("NOT_FOUND", call("get", "{'file':'two/a.md'}").errorKind());
        assertEquals("DENIED", call("browse_directory", "{'collection':'two'}").errorKind());
        assertEquals(
                1, ok("search_directories", "{'query':'heron'}").path("count").asInt());
    }

    private static Caller scoped(Caller caller, String collection) {
        return new Caller(
                "team", caller.principal(), caller.rights(), ResourceScope.anyOf(List.of(collection)), Map.of());
    }

    @Test
    void ownersHaveCollectionsAndMemoriesOfTheirOwn() throws IOException {
        write("a.md", "heron");
        index("docs");
        ok("memory_store", "{'content':'mine','category':'fact'}");
        backend.as(caller -> new Caller("team", "p", caller.rights(), ResourceScope.ALL, Map.of("owner", "alice")));
        assertEquals(List.of(), found("search", "heron"));
        assertEquals(0, ok("status", "{}").path("totalDocuments").asInt());
        assertEquals(0, ok("memory_list", "{}").path("count").asInt());
        index("docs");
        assertEquals(List.of("docs/a.md"), found("search", "heron"));
        assertEquals(Set.of("docs/a.md"), Set.copyOf(found("query", "heron")));
    }

    // ---- get

    @Test
    void aDocumentHasFourAddresses() throws IOException {
        write("sub/a b.md", "# One\nline two\nline three");
        index("docs");
        String docid = ok(search("search", "three"))
                .path("results")
                .path(0)
                .path("docid")
                .asText();
        assertEquals(7, docid.length());
        for (String address : List.of(
                "docs/sub/a b.md",
                "sub/a b.md",
                docid,
                docid.substring(1),
                "agentroot://docs/sub/a%20b.md",
                "agentroot://DOCS/./sub//a%20b.md")) {
            var result = call("get", "{'file':'" + address + "'}");
            assertEquals(
                    "# One\nline two\nline three",
                    result.result()
                            .path("content")
                            .path(0)
                            .path("resource")
                            .path("text")
                            .asText(),
                    address);
            assertEquals(
                    "agentroot://docs/sub/a%20b.md",
                    result.structured().path("uri").asText());
        }
    }

    @Test
    void linesAreCutAndNumbered() throws IOException {
        write("a.md", "one\ntwo\nthree\n");
        index("docs");
        assertEquals("two\n", text("{'file':'a.md','fromLine':2,'maxLines':1}"));
        assertEquals("2: two\n3: three\n", text("{'file':'a.md','fromLine':2,'lineNumbers':true}"));
        assertEquals("", text("{'file':'a.md','fromLine':9}"));
        assertEquals("one\ntwo\nthree\n", text("{'file':'a.md'}"));
    }

    private String text(String args) {
        return call("get", args)
                .result()
                .path("content")
                .path(0)
                .path("resource")
                .path("text")
                .asText();
    }

    @Test
    void whatIsNoAddressIsNotFound() throws IOException {
        write("a.md", "a");
        index("docs");
        for (String address :
                List.of("%", "_", "#", "#zzzzzz", "#abcdef0", "docs/", "nope.md", "agentroot://", "../a.md/x")) {
            assertEquals("NOT_FOUND", call("get", "{'file':'" + address + "'}").errorKind(), address);
        }
    }

    @Test
    void anAmbiguousPathNamesWhatItCouldBe() throws IOException {
        write("one/a.md", "first");
        write("two/a.md", "second");
        index("one", folder.resolve("one"), "**/*");
        index("two", folder.resolve("two"), "**/*");
        var result = call("get", "{'file':'a.md'}");
        assertEquals("CONFLICT", result.errorKind());
        assertTrue(result.text().contains("one/a.md") && result.text().contains("two/a.md"), result.text());
        write("two/a.md", "first");
        update("two");
        assertFalse(call("get", "{'file':'a.md'}").isError());
        assertEquals(
                "CONFLICT",
                call("metadata_add", "{'docid':'a.md','metadata':{'a':1}}").errorKind());
    }

    // ---- multi_get

    @Test
    void severalDocumentsByGlobAndByList() throws IOException {
        write("a.md", "a");
        write("sub/b.md", "b");
        write("c.txt", "c");
        index("docs");
        assertEquals(List.of("docs/a.md", "docs/sub/b.md"), multi("docs/*.md"));
        assertEquals(List.of("docs/a.md", "docs/c.txt"), multi("{a.md,c.txt}"));
        String docid = ok(search("search", "sub"))
                .path("results")
                .path(0)
                .path("docid")
                .asText();
        JsonNode listed = ok("multi_get", "{'pattern':'a.md," + docid + ",missing'}");
        assertEquals(List.of("docs/a.md", "docs/sub/b.md"), texts(listed.path("files"), "file"));
        assertEquals(List.of("missing"), texts(listed.path("missing"), "file"));
        assertEquals(List.of(), multi("["));
        assertEquals(List.of(), multi("%"));
    }

    private List<String> multi(String pattern) {
        return texts(ok("multi_get", "{'pattern':'" + pattern + "'}").path("files"), "file");
    }

    @Test
    void largeFilesAreSkippedByName() throws IOException {
        write("a.md", "small");
        write("big.md", "x".repeat(20_000));
        index("docs");
        JsonNode reply = ok("multi_get", "{'pattern':'docs/*'}");
        assertEquals(List.of("docs/a.md"), texts(reply.path("files"), "file"));
        assertEquals(List.of("docs/big.md"), texts(reply.path("skipped"), "file"));
        assertEquals(
                2,
                ok("multi_get", "{'pattern':'docs/*','maxBytes':30000}")
                        .path("count")
                        .asInt());
    }

    @Test
    void manyFilesAreBounded() throws IOException {
        for (int i = 0; i < 120; i++) {
            write("f" + i + ".md", "text " + i);
        }
        index("docs");
        JsonNode reply = ok("multi_get", "{'pattern':'*'}");
        assertEquals(100, reply.path("count").asInt());
        assertEquals(20, reply.path("skipped").size());
    }
}
