package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.Json;
import switchboard.config.Size;
import switchboard.embed.Embedders;
import switchboard.fetch.RobotsPolicy;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;
import switchboard.testing.WordEmbedder;

/** Documents whose front matter, and files beside them, say who may read them. */
class PermissionsOfFilesTest {
    private static final String HR = "---\nallow: [group:hr]\n---\n";

    private final WordEmbedder embedder = new WordEmbedder();

    @TempDir
    Path disk;

    private Path root;
    private BackendHarness backend;

    @BeforeEach
    void start() throws IOException {
        root = Files.createDirectories(disk.toRealPath().resolve("open"));
        VectordbSettings settings = new VectordbSettings(
                LibraryStore.LOCAL,
                null,
                Duration.ZERO,
                List.of("*"),
                Path.of("vectordb"),
                List.of(root),
                Size.ofMiB(2),
                "default",
                Map.of(),
                Map.of(),
                FusionChoice.LINEAR,
                new VectordbSettings.Ranking(0.7, 0, 0, 0, 0, 0),
                8,
                Duration.ofMinutes(5),
                new VectordbSettings.Fetch(true, RobotsPolicy.IGNORE, Size.ofMiB(1), Duration.ofMinutes(1), 3));
        Embedders embedders = new Embedders(Map.of(Embedders.DEFAULT, new Embedders.Named("test", embedder)), Set.of());
        backend = BackendHarness.start(
                new VectordbModule(embedders, Optional.empty(), "switchboard/test"), settings, disk.resolve("data"));
    }

    @AfterEach
    void stop() {
        backend.close();
    }

    private void member(String user, String... groups) {
        backend.as(caller -> new Caller(
                "staff",
                user,
                caller.rights(),
                caller.scope(),
                Map.of("user", "{claim:name}", "groups", "{list:groups}"),
                Map.of("name", Claim.of(user), "groups", new Claim(List.of(groups), true))));
    }

    private void operator() {
        backend.as(_ -> Caller.unrestricted());
    }

    private Path write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private ToolResult ingest(String name, String... allow) {
        ObjectNode arguments = Json.object().put("path", name);
        for (String reader : allow) {
            arguments.withArray("allow").add(reader);
        }
        return backend.call("ingest_file", arguments);
    }

    private ToolResult ingestText(String content) {
        return backend.call("ingest_text", Json.object().put("content", content));
    }

    private ToolResult document(ToolResult ingested) {
        assertFalse(ingested.isError(), ingested::toString);
        return backend.call(
                "get_document",
                Json.object().put("doc_id", ingested.structured().path("doc_id").asText()));
    }

    private String allowed(ToolResult ingested) {
        return document(ingested).structured().path("allow").toString();
    }

    private String status(ToolResult ingested) {
        return ingested.structured().path("status").asText();
    }

    @Test
    void frontMatterRestrictsAndAChangeOfItEmbedsNothing() throws IOException {
        String text = "# Pay\n\nHerons earn the same.\n";
        write("pay.md", HR + text);
        ToolResult first = ingest("pay.md");
        assertEquals("[\"group:hr\"]", allowed(first));
        assertEquals(text, document(first).structured().path("content").asText());
        member("bob", "it");
        assertEquals("NOT_FOUND", document(first).errorKind());
        member("ann", "hr");
        assertFalse(document(first).isError());
        int embedded = embedder.embedded();
        write("pay.md", "---\r\nallow:\r\n  - user:bob\r\n  - group:hr\r\n---\r\n\r\n" + text);
        ToolResult second = ingest("pay.md");
        assertEquals("replaced", status(second));
        assertEquals("[\"group:hr\",\"user:bob\"]", allowed(second));
        assertEquals("skipped", status(ingest("pay.md")));
        member("bob", "it");
        assertFalse(document(second).isError());
        write("pay.md", text);
        assertEquals("", allowed(ingest("pay.md")), "what the file says follows the file");
        assertEquals(embedded, embedder.embedded());
    }

    @Test
    void theArgumentStaysAndTheFileFollowsTheFileAndTheNarrowestHolds() throws IOException {
        String text = "Herons.\n";
        write("a.md", HR + text);
        assertEquals(
                "[[\"group:hr\"],[\"group:board\",\"user:cfo\"]]", allowed(ingest("a.md", "group:board", "user:cfo")));
        ToolResult stored = ingest("a.md");
        assertEquals("skipped", status(stored));
        for (List<String> few : List.of(List.of("hr"), List.of("board"))) {
            member("eve", few.toArray(String[]::new));
            assertEquals("NOT_FOUND", document(stored).errorKind(), few::toString);
            assertEquals("DENIED", ingest("a.md").errorKind());
        }
        member("cfo", "hr");
        assertFalse(document(stored).isError());
        operator();
        write("a.md", text);
        assertEquals("[\"group:board\",\"user:cfo\"]", allowed(ingest("a.md")), "the argument's stays");
        write("a.md", HR + text);
        assertEquals("[\"group:hr\"]", allowed(ingest("a.md", "everyone")), "an argument can't widen the file's");
        write("a.md", HR + "Storks, an other text.\n");
        assertEquals("[\"group:hr\"]", allowed(ingest("a.md")));
    }

    @Test
    void aFileBesideAndFilesInFoldersRestrictAFileOfAnyFormat() throws IOException {
        write("hr/pay.csv", "name,pay\nann,1\n");
        ToolResult open = ingest("hr/pay.csv");
        assertEquals("", allowed(open));
        int embedded = embedder.embedded();
        write("hr/pay.csv.allow.yaml", "allow: [group:hr, group:board]\n");
        assertEquals("[\"group:board\",\"group:hr\"]", allowed(ingest("hr/pay.csv")));
        write("hr/.allow.yml", "\uFEFF---\r\nallow: group:hr\r\n");
        assertEquals("[\"group:hr\"]", allowed(ingest("hr/pay.csv")));
        Path above = Files.writeString(disk.toRealPath().resolve(".allow.yaml"), "allow:\n- user:ann\n");
        assertEquals("[[\"group:hr\"],[\"user:ann\"]]", allowed(ingest("hr/pay.csv")), "above the open folder, too");
        Files.delete(above);
        Files.delete(root.resolve("hr/.allow.yml"));
        Files.delete(root.resolve("hr/pay.csv.allow.yaml"));
        assertEquals("", allowed(ingest("hr/pay.csv")));
        assertEquals(embedded, embedder.embedded());
        String unicode = "Gehälter \uD83D\uDE00.md";
        write(unicode, HR + "Herons.");
        write(unicode + ".allow.yaml", "allow: ['group:Gehälter']");
        assertEquals("[[\"group:Gehälter\"],[\"group:hr\"]]", allowed(ingest(unicode)));
        String longest = "x".repeat(250) + ".md";
        write(longest, "Herons.");
        assertFalse(ingest(longest).isError(), "a file whose name leaves no room for another one");
    }

    @Test
    void aFileThatDoesNotSayWhoReadsOthersRefusesThem() throws IOException {
        write("a.md", "Herons.");
        Path beside = root.resolve("a.md.allow.yaml");
        for (String wrong : List.of(
                "",
                "# nothing",
                "group:hr",
                "allow: []",
                "allow: 7",
                "allow: [group:hr]\nalso: 1",
                "x: [",
                "a: b",
                "allow: [group:hr]\n---\nallow: everyone",
                "allow: [group:hr]" + " ".repeat(70_000))) {
            Files.writeString(beside, wrong);
            ToolResult refused = ingest("a.md");
            assertEquals("INVALID_ARGUMENT", refused.errorKind(), wrong);
            assertTrue(refused.text().contains("a.md.allow.yaml"), refused.text());
        }
        Files.write(beside, "allow: ['group:Gehälter']".getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(ingest("a.md").text().contains("UTF-8"));
        Files.delete(beside);
        Path elsewhere = Files.writeString(disk.resolve("wide.yaml"), "allow: everyone");
        Files.createSymbolicLink(beside, elsewhere);
        assertTrue(ingest("a.md").text().contains("symbolic link"));
        Files.delete(beside);
        Files.createSymbolicLink(beside, root.resolve("nowhere"));
        assertTrue(ingest("a.md").text().contains("symbolic link"));
        Files.delete(beside);
        Files.createDirectory(beside);
        assertTrue(ingest("a.md").isError());
        Files.delete(beside);
        Files.writeString(root.resolve(".allow.yaml"), "allow: hr");
        assertTrue(ingest("a.md").text().contains("a reader is"));
        assertTrue(backend.call("list_documents", Json.object()).text().contains("\"total\":0"));
        ToolResult itself = ingest(".allow.yaml");
        assertTrue(itself.isError() && itself.text().contains("is not a document itself"), itself::text);
        write("b.md.Allow.YAML", "allow: [group:hr]");
        ToolResult capitals = ingest("b.md.Allow.YAML");
        assertTrue(capitals.isError() && capitals.text().contains("in small letters"), capitals::text);
    }

    @Test
    void aWrongFrontMatterRefusesTheDocumentAndTheOldOneStays() throws IOException {
        write("a.md", HR + "Herons.");
        ToolResult stored = ingest("a.md");
        write("a.md", "---\nallow: [group:hr\n---\nHerons and storks.");
        ToolResult refused = ingest("a.md");
        assertEquals("INVALID_ARGUMENT", refused.errorKind());
        assertTrue(refused.text().contains("a.md") && refused.text().contains("front matter"), refused.text());
        assertEquals("[\"group:hr\"]", allowed(stored));
        write("code.yaml", "---\nallow: 80\n---\nallow: 81\n");
        assertEquals("", allowed(ingest("code.yaml")), "front matter is of Markdown and plain text");
        Files.write(root.resolve("wide.txt"), (HR + "Störche.").getBytes(StandardCharsets.UTF_16LE));
        assertEquals("[\"group:hr\"]", allowed(ingest("wide.txt")));
        Files.write(root.resolve("latin.md"), (HR + "Störche.").getBytes(StandardCharsets.ISO_8859_1));
        ToolResult latin = ingest("latin.md");
        assertEquals("Störche.", document(latin).structured().path("content").asText());
    }

    @Test
    void aTextFromACallerHasFrontMatterTooAndKeepsItsName() {
        ToolResult first = ingestText(HR + "Herons.");
        assertEquals("[\"group:hr\"]", allowed(first));
        ToolResult second = ingestText("---\nallow: [group:board]\n---\nHerons.");
        assertEquals(first.structured().path("source"), second.structured().path("source"));
        assertEquals("[\"group:board\"]", allowed(second));
        assertEquals(
                "INVALID_ARGUMENT",
                ingestText("---\nallow: board\n---\nHerons.").errorKind());
    }

    @Test
    void whoMayNotReplaceADocumentIsDeniedBeforeAnythingIsEmbedded() throws IOException {
        write("a.md", HR + "Herons.");
        assertFalse(ingest("a.md").isError());
        int embedded = embedder.embedded();
        member("bob", "it");
        write("a.md", "Quite another text, for everyone.");
        assertEquals("DENIED", ingest("a.md").errorKind());
        assertEquals("DENIED", ingest("a.md", "user:bob").errorKind());
        assertEquals(embedded, embedder.embedded());
    }
}
