package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import switchboard.Main;
import switchboard.call.Json;
import switchboard.convert.MadeFiles;

/** {@code ingest} of folders with files of many kinds. */
class IngestCommandTest {
    @TempDir
    Path folder;

    private Path documents;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void makeFolder() throws IOException {
        documents = Files.createDirectories(folder.resolve("documents"));
        Files.writeString(folder.resolve("switchboard.yaml"), """
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """);
    }

    private void file(String name, byte[] content) throws IOException {
        Path file = documents.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private int run(String... command) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine line = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] whole = Stream.concat(
                        Stream.of(command),
                        Stream.of(
                                "--config",
                                folder.resolve("switchboard.yaml").toString(),
                                "--data",
                                folder.resolve("data").toString()))
                .toArray(String[]::new);
        return line.execute(whole);
    }

    private String found(String query) {
        assertEquals(0, run("search", query, "--library", "mixed"), this::said);
        return out.toString();
    }

    private String said() {
        return out + "\n" + err;
    }

    @Test
    void everyFormatOfAFolderIsReadAndWhatIsLeftOutIsNamed() throws IOException {
        file("notes/heron.md", text("# Heron\n\nA bird of quiet water."));
        file("report.pdf", MadeFiles.pdf("The flamingo stands on one leg."));
        file("letter.DOCX", MadeFiles.docx("Stork", "The stork brings letters."));
        file("sheet.xlsx", MadeFiles.xlsx("bittern", "crane"));
        file("slides.pptx", MadeFiles.pptx("The spoonbill sifts mud."));
        file("archive.zip", MadeFiles.zip(Map.of("inside.txt", text("An ibis was in the archive."))));
        file(
                "Store.java",
                text("package a;\n\n/** Keeps egrets. */\nclass Store {\n    void put(Egret egret) {}\n}\n"));
        file("deploy.yaml", text("service: avocet\n"));
        file("program.exe", new byte[] {77, 90, 0, 0});
        file("README", text("no extension"));
        file(".hidden.md", text("hidden"));
        file(".git/config.txt", text("hidden, too"));
        Files.createSymbolicLink(documents.resolve("dangling.md"), documents.resolve("nowhere.md"));

        assertEquals(0, run("ingest", documents.toString(), "--library", "mixed"), this::said);
        String summary = out.toString();
        assertTrue(summary.contains("8 indexed, 0 failed"), summary);
        for (String left : List.of("program.exe", "README", ".hidden.md", ".git", "dangling.md")) {
            assertTrue(summary.contains(left), left + " in " + summary);
        }
        assertTrue(summary.contains("left out, hidden: 2 ("), summary);
        assertTrue(summary.contains("left out, of a format that is not read: 2 ("), summary);
        Map<String, String> sources = new TreeMap<>(Map.of(
                "flamingo leg", "report.pdf",
                "stork letters", "letter.DOCX",
                "bittern", "sheet.xlsx",
                "spoonbill", "slides.pptx",
                "ibis", "archive.zip",
                "egret", "Store.java",
                "avocet", "deploy.yaml"));
        sources.forEach((query, source) -> assertTrue(found(query).contains(source), () -> query + ": " + out));
        assertTrue(found("egret").contains("Store"), this::said);
    }

    @Test
    void programsGetTheSameAsJsonWithTheReasonOfEachFailure() throws IOException {
        file("good.txt", text("A wader."));
        file("empty.txt", text("  \n"));
        file("broken.pdf", text("%PDF-1.4 broken"));
        file("movie.mkv", new byte[] {26, 69, -33, -93});
        assertEquals(1, run("ingest", documents.toString(), "--library", "mixed", "--json"), this::said);
        JsonNode report = Json.parse(out.toString());
        assertEquals("mixed", report.path("library").asText());
        assertEquals(1, report.path("outcomes").path("indexed").asInt(), report::toString);
        assertEquals(1, report.path("chunks").asInt());
        assertFalse(report.path("interrupted").asBoolean());
        assertEquals(
                List.of("broken.pdf", "empty.txt"),
                report.path("failed")
                        .valueStream()
                        .map(failure -> Path.of(failure.path("path").asText())
                                .getFileName()
                                .toString())
                        .toList());
        report.path("failed")
                .forEach(failure -> assertFalse(failure.path("reason").asText().isBlank()));
        assertEquals(1, report.path("left_out").size());
        assertTrue(report.path("left_out").path(0).path("path").asText().endsWith("movie.mkv"));
        assertEquals(
                "of a format that is not read",
                report.path("left_out").path(0).path("reason").asText());
    }

    @Test
    void aFolderWithNothingToReadSaysWhatIsInIt() throws IOException {
        file("movie.mkv", new byte[] {26, 69, -33, -93});
        file(".hidden.md", text("hidden"));
        assertEquals(2, run("ingest", documents.toString()), this::said);
        assertTrue(err.toString().contains("2 files are hidden or of formats that are not read"), this::said);
        assertTrue(out.toString().contains("movie.mkv"), this::said);
        assertEquals(2, run("ingest", documents.toString(), "--json"), this::said);
        JsonNode report = Json.parse(out.toString());
        assertEquals(2, report.path("left_out").size(), this::said);
        assertEquals(1, report.at("/left_out_counts/hidden").asInt(), this::said);
        assertEquals(0, report.path("outcomes").size(), this::said);
    }
}
