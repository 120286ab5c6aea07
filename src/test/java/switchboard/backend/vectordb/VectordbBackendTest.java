package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendEvent;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.config.Size;
import switchboard.embed.Embedders;
import switchboard.fetch.RobotsPolicy;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolCaller;
import switchboard.testing.ToolResult;
import switchboard.testing.WordEmbedder;

/** The contract on the bus, with an embedder that can be told what to do; and what only can be seen with one. */
class VectordbBackendTest extends VectordbContract {
    private final WordEmbedder embedder = new WordEmbedder();
    private @Nullable BackendHarness started;

    @Override
    protected ToolCaller start(Path data) {
        started = open(data, Optional.of(embedder), settings(List.of(folder), true));
        return started;
    }

    @Override
    protected void stop() {
        harness().close();
    }

    private BackendHarness harness() {
        return Objects.requireNonNull(started);
    }

    private static BackendHarness open(Path data, Optional<WordEmbedder> embedder, VectordbSettings settings) {
        Embedders embedders = embedder.map(
                        model -> new Embedders(Map.of(Embedders.DEFAULT, new Embedders.Named("test", model)), Set.of()))
                .orElseGet(Embedders::none);
        VectordbModule module = new VectordbModule(embedders, Optional.empty(), "switchboard/test");
        return BackendHarness.start(module, settings, data);
    }

    private static VectordbSettings settings(List<Path> roots, boolean allowPrivate) {
        return new VectordbSettings(
                LibraryStore.LOCAL,
                null,
                Duration.ZERO,
                List.of("*"),
                Path.of("vectordb"),
                roots,
                Size.ofMiB(1),
                "default",
                Map.of(),
                Map.of(),
                FusionChoice.LINEAR,
                new VectordbSettings.Ranking(0.7, 0, 0, 0, 0, 0),
                8,
                Duration.ofMinutes(5),
                new VectordbSettings.Fetch(allowPrivate, RobotsPolicy.IGNORE, Size.ofMiB(1), Duration.ofMinutes(1), 3));
    }

    @Test
    void embeddingThatFailsLeavesTheOldDocument() throws IOException {
        write("a.md", "old text about herons");
        String id = ok(ingest("a.md")).path("doc_id").asText();
        write("a.md", "new text about storks");
        embedder.failWith("the model broke");
        ToolResult failed = ingest("a.md");
        assertEquals("UNAVAILABLE", failed.errorKind());
        JsonNode found = search("herons");
        assertEquals("keyword", found.path("mode").asText());
        assertEquals("the model broke", found.path("reason").asText());
        assertEquals(id, found.path("results").path(0).path("doc_id").asText());
        embedder.failWith(null);
        assertEquals("replaced", ok(ingest("a.md")).path("status").asText());
    }

    @Test
    void newMetadataEmbedsNothing() throws IOException {
        write("a.md", "text");
        ok(ingest("a.md"));
        int before = embedder.embedded();
        ok(ingest("a.md", "{\"a\":1}"));
        assertEquals(before, embedder.embedded());
    }

    @Test
    void metadataHasUpTo32KiB() throws IOException {
        write("a.md", "text");
        int around = "{\"a\":\"\"}".length();
        ok(ingest("a.md", "{\"a\":\"" + "v".repeat(32 * 1024 - around) + "\"}"));
        ToolResult tooLarge = ingest("a.md", "{\"a\":\"" + "v".repeat(32 * 1024 - around + 1) + "\"}");
        assertEquals("INVALID_ARGUMENT", tooLarge.errorKind());
        assertTrue(tooLarge.text().contains("32768 bytes"), tooLarge.text());
    }

    @Test
    void anotherEmbedderEmbedsAgain() throws IOException {
        write("a.md", "text");
        ok(ingest("a.md"));
        embedder.rename("words-b");
        assertEquals("replaced", ok(ingest("a.md")).path("status").asText());
        assertEquals("hybrid", search("text").path("mode").asText());
    }

    @Test
    void vectorsOfAnotherModelAreNotUsedAndTheReasonIsGiven() throws IOException {
        write("a.md", "text about newts");
        ok(ingest("a.md"));
        embedder.rename("words-c");
        JsonNode found = search("newts");
        assertEquals("keyword", found.path("mode").asText());
        assertFalse(found.path("reason").asText().isEmpty());
        assertEquals(1, found.path("results").size());
    }

    @Test
    void progressIsToldWhileIngesting() throws IOException {
        write("long.md", words(3000));
        int chunks = ok(ingest("long.md")).path("chunk_count").asInt();
        List<BackendEvent.CallProgress> progress = harness().events().stream()
                .filter(BackendEvent.CallProgress.class::isInstance)
                .map(BackendEvent.CallProgress.class::cast)
                .toList();
        assertTrue(progress.size() >= chunks, progress.toString());
        double last = -1;
        for (BackendEvent.CallProgress step : progress) {
            assertTrue(step.progress() > last, progress.toString());
            last = step.progress();
        }
        assertEquals(chunks + 2.0, last);
        assertTrue(progress.stream().anyMatch(step -> ("embedded 1 of " + chunks + " chunks").equals(step.message())));
    }

    @Test
    void theSameFileWaitsAndOtherFilesDoNot() throws Exception {
        write("a.md", "first");
        write("b.md", "second");
        Promise<Void> gate = Promise.promise();
        embedder.waitFor(gate.future());
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<ToolResult> held = threads.submit(() -> ingest("a.md"));
            Future<ToolResult> behind = threads.submit(() -> ingest("a.md"));
            embedder.waitFor(io.vertx.core.Future.succeededFuture());
            gate.complete();
            List<String> statuses = List.of(
                    ok(held.get()).path("status").asText(),
                    ok(behind.get()).path("status").asText());
            assertTrue(statuses.contains("indexed") && statuses.contains("skipped"), statuses.toString());
        }
        assertEquals("indexed", ok(ingest("b.md")).path("status").asText());
    }

    @Test
    void callersSeeOnlyTheirLibraries() throws IOException {
        write("a.md", "common words");
        String secret = ok(call("ingest_file", "{\"path\":\"a.md\",\"library\":\"secret\"}"))
                .path("doc_id")
                .asText();
        ok(call("ingest_file", "{\"path\":\"a.md\",\"library\":\"team-a\"}"));
        harness().as(caller -> new Caller("t", "k", caller.rights(), ResourceScope.anyOf(List.of("team-*")), Map.of()));
        assertEquals(1, libraries().size());
        assertEquals(1, documents("{}").path("total").asInt());
        assertEquals(1, search("common").path("results").size());
        assertEquals("NOT_FOUND", get(secret).errorKind());
        JsonNode deleted = ok(call("delete_document", "{\"doc_id\":\"" + secret + "\"}"));
        assertFalse(deleted.path("found").asBoolean());
        for (String denied : List.of("search", "list_documents")) {
            ToolResult result = call(
                    denied,
                    denied.equals("search") ? "{\"query\":\"x\",\"library\":\"secret\"}" : "{\"library\":\"secret\"}");
            assertEquals("DENIED", result.errorKind());
        }
        assertEquals(
                "DENIED",
                call("ingest_file", "{\"path\":\"a.md\",\"library\":\"secret\"}")
                        .errorKind());
        // One that is there and one that is not are told apart by nothing.
        for (String name : List.of("secret", "nowhere")) {
            ToolResult hidden = call("search", "{\"query\":\"common\",\"filter\":{\"library\":\"" + name + "\"}}");
            assertEquals("NOT_FOUND", hidden.errorKind());
            assertEquals(
                    "There is no library \"" + name
                            + "\". list_libraries shows those there are; the first document makes one.",
                    message(hidden));
        }
    }

    @Test
    void ownersHaveLibrariesOfTheirOwn() throws IOException {
        write("a.md", "words of everybody");
        ok(ingest("a.md"));
        harness().as(caller -> new Caller("t", "k", caller.rights(), caller.scope(), Map.of("owner", "ada")));
        assertEquals(0, libraries().size());
        assertEquals(0, search("words").path("results").size());
        write("b.md", "words of ada");
        ok(ingest("b.md"));
        harness().as(caller -> new Caller("t", "k", caller.rights(), caller.scope(), Map.of("owner", "bob")));
        assertEquals(0, documents("{}").path("total").asInt());
        harness().as(caller -> new Caller("t", "k", caller.rights(), caller.scope(), Map.of()));
        assertEquals("words of everybody", content(search("ada everybody words")));
        assertEquals(1, documents("{}").path("total").asInt());
    }

    @Test
    void textIsIngestedUnderAnyName() {
        JsonNode first = ok(call("ingest_text", "{\"content\":\"# Memo\\n\\nthe aardvark meets on Tuesday\"}"));
        assertEquals("indexed", first.path("status").asText());
        assertTrue(first.path("source").asText().startsWith("text:"));
        assertEquals(
                "Memo", search("aardvark").path("results").path(0).path("title").asText());
        assertEquals(
                "skipped",
                ok(call("ingest_text", "{\"content\":\"# Memo\\n\\nthe aardvark meets on Tuesday\"}"))
                        .path("status")
                        .asText());
        ok(call("ingest_text", "{\"content\":\"one\",\"source\":\"note\",\"title\":\"A\"}"));
        JsonNode renamed = ok(call("ingest_text", "{\"content\":\"one\",\"source\":\"note\",\"title\":\"B\"}"));
        assertEquals("replaced", renamed.path("status").asText());
        JsonNode other = ok(call("ingest_text", "{\"content\":\"two\",\"source\":\"note\"}"));
        assertEquals("replaced", other.path("status").asText());
        ok(call("ingest_text", "{\"content\":\"%PDF- is a marker\",\"library\":\"m\"}"));
        assertEquals("%PDF- is a marker", content(search("marker", "\"library\":\"m\"")));
        assertTrue(call("ingest_text", "{\"content\":\" \"}").isError());
    }

    @Test
    void aTextIsFoundByTheTitleThatItsCallerGives() {
        ok(titled("Each of us has thirty days of it.", "hr", "Vacation policy"));
        ok(titled("Each year has twelve months.", "calendar", "Months"));
        assertEquals("hr", sources(search("vacation policy")).getFirst());
        assertEquals("calendar", sources(search("months")).getFirst());
        JsonNode again = ok(titled("Each year has twelve months.", "calendar", "Months"));
        assertEquals("skipped", again.path("status").asText());
        JsonNode renamed = ok(titled("Each year has twelve months.", "calendar", "Vacation policy"));
        assertEquals("replaced", renamed.path("status").asText());
        ok(titled("Each of us has thirty days of it.", "hr", "Days off"));
        assertEquals("calendar", sources(search("vacation policy")).getFirst());
        assertEquals("hr", sources(search("off")).getFirst());
        assertEquals(2, documents("{}").path("total").asInt());
    }

    private ToolResult titled(String content, String source, String title) {
        return tools.call(
                "ingest_text",
                Json.object().put("content", content).put("source", source).put("title", title));
    }

    private static List<String> sources(JsonNode answer) {
        List<String> sources = new ArrayList<>();
        answer.path("results").forEach(hit -> sources.add(hit.path("source").asText()));
        return sources;
    }

    @Test
    void anUnchangedPageIsNotSentAgain() {
        List<String> asked = new CopyOnWriteArrayList<>();
        answer("/versioned", request -> {
            asked.add(String.valueOf(request.getHeader("If-None-Match")));
            boolean known = "\"v1\"".equals(request.getHeader("If-None-Match"));
            request.response()
                    .setStatusCode(known ? 304 : 200)
                    .putHeader("ETag", "\"v1\"")
                    .putHeader("Content-Type", "text/markdown")
                    .end(known ? "" : "# Page\n\nwords");
        });
        assertEquals("indexed", ok(ingestUrl(url("/versioned"))).path("status").asText());
        assertEquals("skipped", ok(ingestUrl(url("/versioned"))).path("status").asText());
        embedder.rename("words-d");
        assertEquals("replaced", ok(ingestUrl(url("/versioned"))).path("status").asText());
        assertEquals(List.of("null", "\"v1\"", "null"), asked);
    }

    @Test
    void anUnchangedPageThatSaysWhoReadsItIsNotSentAgain() {
        List<String> asked = new CopyOnWriteArrayList<>();
        AtomicReference<String> group = new AtomicReference<>("hr");
        answer("/restricted", request -> {
            String tag = "\"" + group.get() + "\"";
            String known = String.valueOf(request.getHeader("If-None-Match"));
            asked.add(known);
            request.response()
                    .setStatusCode(known.equals(tag) ? 304 : 200)
                    .putHeader("ETag", tag)
                    .putHeader("Content-Type", "text/markdown")
                    .end(known.equals(tag) ? "" : "---\nallow: [group:" + group.get() + "]\n---\n# Page\n\nwords");
        });
        String url = url("/restricted");
        assertEquals("indexed", ok(ingestUrl(url)).path("status").asText());
        assertEquals("skipped", ok(ingestUrl(url)).path("status").asText());
        group.set("it");
        String id = ok(ingestUrl(url)).path("doc_id").asText();
        assertEquals("[\"group:it\"]", ok(get(id)).path("allow").toString());
        assertEquals("skipped", ok(ingestUrl(url)).path("status").asText());
        // The same text for others: what the page says of its readers has to be read again.
        ok(call("ingest_text", "{\"content\":\"# Page\\n\\nwords\",\"source\":\"" + url + "\"}"));
        assertEquals("replaced", ok(ingestUrl(url)).path("status").asText());
        assertEquals("[\"group:it\"]", ok(get(id)).path("allow").toString());
        assertEquals(List.of("null", "\"hr\"", "\"hr\"", "\"it\"", "null"), asked);
    }

    @Test
    void whatWasStoredIsThereAfterARestart() throws IOException {
        write("a.md", "durable words");
        String id = ok(ingest("a.md")).path("doc_id").asText();
        harness().close();
        tools = start(temp.resolve("data"));
        assertEquals(
                id, search("durable").path("results").path(0).path("doc_id").asText());
        assertEquals("skipped", ok(ingest("a.md")).path("status").asText());
    }

    @Test
    void aFileOverTheLimitIsRefused() throws IOException {
        write("big.txt", "x ".repeat(600_000));
        ToolResult result = ingest("big.txt");
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        assertTrue(result.text().contains("maxFileSize"), result.text());
    }

    @Test
    void withoutFoldersNoFileIsRead() throws IOException {
        write("a.md", "text");
        try (BackendHarness closed = open(temp.resolve("none"), Optional.of(embedder), settings(List.of(), false))) {
            ToolResult result = closed.call("ingest_file", "{\"path\":\"" + folder.resolve("a.md") + "\"}");
            assertEquals("DENIED", result.errorKind());
            assertTrue(result.text().contains("ingestRoots is empty"), result.text());
        }
    }

    @Test
    void privateAddressesAreRefusedUnlessAllowed() {
        try (BackendHarness closed = open(temp.resolve("none"), Optional.of(embedder), settings(List.of(), false))) {
            for (String url : List.of(
                    "http://169.254.169.254/latest/meta-data",
                    url("/p"),
                    "http://localhost:" + url("").split(":")[2] + "/",
                    "http://[::1]/",
                    "http://[::ffff:10.0.0.1]/",
                    "http://2130706433/")) {
                ToolResult result = closed.call("ingest_url", "{\"url\":\"" + url + "\"}");
                assertEquals("DENIED", result.errorKind(), url + " " + result.text());
                assertTrue(result.text().contains("allowPrivate"), result.text());
            }
        }
    }

    @Test
    void withoutAnEmbedderEverythingWorksByKeyword() throws IOException {
        write("a.md", "plain words only");
        try (BackendHarness plain = open(temp.resolve("none"), Optional.empty(), settings(List.of(folder), false))) {
            assertEquals(
                    "indexed",
                    ok(plain.call("ingest_file", "{\"path\":\"a.md\"}"))
                            .path("status")
                            .asText());
            JsonNode found = ok(plain.call("search", "{\"query\":\"plain\"}"));
            assertEquals("keyword", found.path("mode").asText());
            assertEquals(1, found.path("results").size());
            assertTrue(found.path("results").path(0).path("vector_rank").isMissingNode());
        }
    }

    @Test
    void theKeywordLegFindsWhatTheVectorsMiss() throws IOException {
        WordEmbedder blind = new WordEmbedder(_ -> "same");
        try (BackendHarness other = open(temp.resolve("none"), Optional.of(blind), settings(List.of(folder), false))) {
            write("a.md", "ordinary words");
            write("b.md", "the word xyzzyx is rare");
            ok(other.call("ingest_file", "{\"path\":\"a.md\"}"));
            ok(other.call("ingest_file", "{\"path\":\"b.md\"}"));
            JsonNode hit = ok(other.call("search", "{\"query\":\"xyzzyx\"}"))
                    .path("results")
                    .path(0);
            assertEquals("the word xyzzyx is rare", hit.path("content").asText());
        }
    }

    /** Their lengths are those of the tool's schema, which counts characters beyond U+FFFF once. */
    @Test
    void namesOfTheGreatestLengthAreTaken() {
        String library = "\\ud83d\\ude00".repeat(128);
        String source = "\\ud83d\\ude00".repeat(4096);
        String arguments = "{\"content\":\"A walrus.\",\"library\":\"" + library + "\",\"source\":\"" + source + "\"}";
        assertEquals(
                "indexed",
                call("ingest_text", arguments).structured().path("status").asText());
        assertEquals(
                "skipped",
                call("ingest_text", arguments).structured().path("status").asText());
    }

    /** No encoding has half a character, so it is stored as U+FFFD: the document has one id, and is not that of a question mark. */
    @Test
    void halfOfACharacterIsTheReplacementCharacterEverywhere() {
        String first = ingestedWalrus("a\\ud800b");
        String other = ingestedWalrus("a?b");
        assertEquals(first, ingestedWalrus("a\\udfffb"));
        for (String id : List.of(first, other)) {
            ToolResult read = call("get_document", "{\"doc_id\":\"" + id + "\"}");
            assertFalse(read.isError(), read::toString);
        }
        for (String named : List.of("a\\ud800b", "a\\ufffdb")) {
            JsonNode hits = call(
                            "search",
                            "{\"query\":\"walrus\",\"library\":\"halves\",\"filter\":{\"source\":\"" + named + "\"}}")
                    .structured()
                    .path("results");
            assertEquals(1, hits.size(), hits::toString);
            assertEquals(first, hits.path(0).path("doc_id").asText());
        }
        ToolResult library = call("ingest_text", "{\"content\":\"A walrus.\",\"library\":\"a\\ud800\"}");
        assertEquals("INVALID_ARGUMENT", library.errorKind(), library.toString());
    }

    private String ingestedWalrus(String source) {
        ToolResult done =
                call("ingest_text", "{\"content\":\"A walrus.\",\"library\":\"halves\",\"source\":\"" + source + "\"}");
        assertFalse(done.isError(), done::toString);
        return done.structured().path("doc_id").asText();
    }
}
