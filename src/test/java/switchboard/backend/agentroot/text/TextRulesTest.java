package switchboard.backend.agentroot.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.backend.embedded.FrontMatterPermission;
import switchboard.convert.ConvertedDocument;

/** What is read from a text without a model. */
class TextRulesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            One. Two.        | One.
            Version 1.2 runs | Version 1.2 runs
            a.b              | a.b
            Ends with a dot. | Ends with a dot.
            """)
    void aSentenceEndsAtAFullStopBeforeSpace(String text, String first) {
        assertEquals(first, Sentences.first(text));
    }

    @Test
    void theFirstLineIsASentenceToo() {
        assertEquals("first line", Sentences.first("\n first line\nsecond"));
        assertEquals("One.", Sentences.first("One.\nTwo."));
    }

    @Test
    void aSentenceHasUpTo200BytesOfWholeCharacters() {
        assertEquals("s".repeat(200), Sentences.first("s".repeat(200)));
        assertEquals("s".repeat(200) + "...", Sentences.first("s".repeat(201)));
        assertEquals("ä".repeat(100), Sentences.first("ä".repeat(100)));
        assertEquals("ä".repeat(100) + "...", Sentences.first("ä".repeat(100) + "s"));
        assertEquals("s" + "€".repeat(66) + "...", Sentences.first("s" + "€".repeat(67)));
        assertEquals("\uD83D\uDE00".repeat(50) + "...", Sentences.first("\uD83D\uDE00".repeat(51)));
    }

    @Test
    void aPieceHasUpTo50Labels() {
        String fifty =
                IntStream.range(0, 50).mapToObj(i -> "@label k" + i + ":v" + i).collect(Collectors.joining("\n"));
        assertEquals(50, MetadataExtractor.labels(fifty).size());
        assertEquals(50, MetadataExtractor.labels(fifty + "\n@label more:v").size());
        assertEquals(Map.of("layer", "core/io"), MetadataExtractor.labels("// @label layer:core/io, @label"));
    }

    private static ExtractedMetadata facts(String path, String text, String title) {
        return MetadataExtractor.of(
                path,
                new ConvertedDocument(text, ConvertedDocument.Markup.MARKDOWN, title, List.of()),
                LlmMetadata.NONE,
                "fallback");
    }

    @Test
    void thePdfsFirstLineIsItsTitleUnlessItIsLongerThan100Characters() {
        assertEquals(
                "t".repeat(100),
                facts("a.pdf", "\n " + "t".repeat(100) + "\nbody", null).title());
        assertEquals(
                "fallback", facts("a.pdf", "t".repeat(101) + "\nbody", "own").title());
    }

    @Test
    void theFirstTellingHeadingNearTheTopIsTheTitle() {
        assertEquals(
                "Herons",
                facts("a.md", "# Readme\n## Herons #\n# Storks\n", "own").title());
        assertEquals("Notes", facts("a.md", "# Notes\n### Herons\n", "own").title());
        assertEquals(
                "Herons", facts("a.md", "\n".repeat(49) + "# Herons\n", "own").title());
        assertEquals("own", facts("a.md", "\n".repeat(50) + "# Herons\n", "own").title());
        assertEquals("my file", facts("my-file.java", "# Herons\n", "own").title());
        assertEquals(
                "h".repeat(200), facts("a.md", "# " + "h".repeat(200), null).title());
        assertEquals(
                "h".repeat(150), facts("a.md", "# " + "h".repeat(201), null).title());
    }

    @Test
    void labelsOfTheFrontMatterAreBounded() {
        String longest = "v".repeat(100);
        ExtractedMetadata facts = facts(
                "a.md",
                "---\nlabels:\n  k: " + longest + "\n  x: v" + longest + "\n  " + longest + ": v\n  v" + longest
                        + ": v\n---\n",
                null);
        assertEquals(Map.of("k", longest, longest, "v"), facts.labels());
        String many = IntStream.range(0, 51).mapToObj(i -> "  k" + i + ": v\n").collect(Collectors.joining());
        assertEquals(
                50,
                facts("a.md", "---\nlabels:\n" + many + "---\n", null).labels().size());
        String tags = IntStream.range(0, 51).mapToObj(i -> "T" + i).collect(Collectors.joining(", "));
        assertEquals(
                50,
                facts("a.md", "---\ntags: [" + tags + ", t0]\n---\n", null)
                        .tags()
                        .size());
        assertEquals(
                List.of(longest, "v"),
                facts("a.md", "---\ntags: [" + longest + ", v, V" + longest + "]\n---\n", null)
                        .tags());
    }

    @ParameterizedTest
    @CsvSource({
        "src/tests/a.java, test, intermediate",
        "src/a_test.go, test, intermediate",
        "src/a.java, code, intermediate",
        "docs/getting-started.md, tutorial, beginner",
        "docs/how-to-x.md, guide, intermediate",
        "docs/api/x.md, reference, intermediate",
        "conf/x.toml, configuration, intermediate",
        "docs/internals.md, documentation, advanced"
    })
    void aPathTellsWhatKindOfTextItIs(String path, String category, String difficulty) {
        ExtractedMetadata facts = facts(path, "", null);
        assertEquals(category, facts.category());
        assertEquals(difficulty, facts.difficulty());
    }

    @ParameterizedTest
    @CsvSource({
        "a/b.tar.GZ, gz, b.tar",
        "a.b/c, '', c",
        ".hidden, '', .hidden",
        "x/.env, '', .env",
        "my-first_page.md, md, my first page",
        "end., '', end"
    })
    void aFilesExtensionAndStem(String path, String extension, String stem) {
        assertEquals(extension, MetadataExtractor.extension(path));
        assertEquals(stem, MetadataExtractor.stem(path));
    }

    // ---- front matter

    @Test
    void frontMatterIsReadBetweenItsLines() {
        FrontMatter front = FrontMatter.of("---\nTitle: A\ntags: [x, y]\nempty: ''\nn:\n---\nbody");
        assertEquals("A", front.text("title").orElseThrow());
        assertEquals(List.of("x", "y"), front.list("tags"));
        assertEquals(true, front.text("tags").isEmpty());
        assertEquals(true, front.text("empty").isEmpty());
        assertEquals("---\nTitle: A\ntags: [x, y]\nempty: ''\nn:\n---\n".length(), front.end());
        assertEquals(11, FrontMatter.of("---\na: b\n---").end() - 1);
    }

    /** The permission in it is looked for in the same texts, see FrontMatterPermissionTest. */
    @ParameterizedTest
    @ValueSource(strings = {"---\n", "\uFEFF---\n", "--- \t\n", "\n \n---\n"})
    void blankLinesAndAByteOrderMarkMayPrecedeIt(String head) {
        for (String close : List.of("---", "--- ", "...")) {
            String text = head + "allow: [group:hr]\ntitle: A\n" + close + "\n";
            for (String lineEnd : List.of("\n", "\r\n", "\r")) {
                String written = text.replace("\n", lineEnd);
                FrontMatter front = FrontMatter.of(written + "body");
                assertEquals(List.of("A"), front.list("title"), written);
                assertEquals(written.length(), front.end(), written);
                FrontMatterPermission permission = FrontMatterPermission.of(written + "body");
                assertEquals(List.of(List.of("group:hr")), permission.readers().places(), written);
                assertEquals(
                        "A", FrontMatter.of(permission.text()).text("title").orElseThrow(), written);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'text\n---\na: b\n---\n'", "'---\na: b\n'", "'---\na: b\n----\n'", "'---a\n---\n'"})
    void whatIsNoFrontMatterIsText(String text) {
        assertEquals(new FrontMatter(Map.of(), 0), FrontMatter.of(text));
    }

    @Test
    void frontMatterHasUpTo64KiB() {
        String value = "v".repeat(64 * 1024 - "a: \n".length());
        assertEquals(
                value, FrontMatter.of("---\na: " + value + "\n---\n").text("a").orElseThrow());
        assertEquals(0, FrontMatter.of("---\na: v" + value + "\n---\n").end());
    }
}
