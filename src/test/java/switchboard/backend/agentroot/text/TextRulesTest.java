package switchboard.backend.agentroot.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        assertEquals(50, FactRules.labels(fifty).size());
        assertEquals(50, FactRules.labels(fifty + "\n@label more:v").size());
        assertEquals(Map.of("layer", "core/io"), FactRules.labels("// @label layer:core/io, @label"));
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
        assertEquals(extension, FactRules.extension(path));
        assertEquals(stem, FactRules.stem(path));
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

    @ParameterizedTest
    @CsvSource({
        "'text\n---\na: b\n---\n'",
        "'---\na: b\n'",
        "'---\na: b\n----\n'",
        "'--- \na: b\n---\n'",
        "'---a\n---\n'"
    })
    void whatIsNoFrontMatterIsText(String text) {
        assertEquals(new FrontMatter(Map.of(), 0), FrontMatter.of(text));
    }

    @Test
    void frontMatterHasUpTo64KiB() {
        String value = "v".repeat(64 * 1024 - "---\na: ".length());
        assertEquals(
                value, FrontMatter.of("---\na: " + value + "\n---\n").text("a").orElseThrow());
        assertEquals(0, FrontMatter.of("---\na: v" + value + "\n---\n").end());
    }
}
