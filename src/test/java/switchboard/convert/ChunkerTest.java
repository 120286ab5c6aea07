package switchboard.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ChunkerTest {
    /** One token for a word of up to four characters, one more for each four after that. */
    private static final Chunker CHUNKER = new Chunker(ChunkerTest::tokens, ChunkSizes.STANDARD);

    @Test
    void nothingHasNoChunks() {
        assertEquals(List.of(), CHUNKER.chunk(plain("")));
        assertEquals(List.of(), CHUNKER.chunk(plain(" \n\t\n ")));
    }

    @Test
    void fiveWordsAreOneChunk() {
        List<Chunk> chunks = CHUNKER.chunk(plain("\n just five words of text \n"));
        assertEquals(1, chunks.size());
        assertEquals("just five words of text", chunks.getFirst().in("\n just five words of text \n"));
    }

    @Test
    void longRunsOfWhiteSpaceAreNoChunksWhateverTheyCount() {
        Chunker byLength = new Chunker(text -> text.length() / 4 + 1, ChunkSizes.STANDARD);
        String gap = " ".repeat(20_000);
        String text = "before" + gap + "between" + gap + "\n\n" + gap;
        assertEquals(
                List.of("before", "between"),
                byLength.chunk(plain(text)).stream()
                        .map(chunk -> chunk.in(text))
                        .toList());
    }

    @Test
    void paragraphsArePackedAndNotCut() {
        String paragraph = words(100);
        String text = IntStream.range(0, 12).mapToObj(i -> paragraph).collect(Collectors.joining("\n\n"));
        List<Chunk> chunks = CHUNKER.chunk(plain(text));
        for (Chunk chunk : chunks) {
            assertEquals(0, tokens(chunk.in(text)) % 100);
        }
        assertEquals(3, chunks.size());
    }

    @Test
    void aNewSectionOfSomeSizeStartsANewChunkUnderItsHeadings() {
        String text = "# Guide\n\n" + words(300) + "\n\n## Install\n\n" + words(200) + "\n\n## Use\n\n" + words(200)
                + "\n\n### Deep\n\n" + words(200) + "\n";
        List<Chunk> chunks = CHUNKER.chunk(DocumentConverter.markdown(text));
        assertEquals(
                List.of("Guide", "Guide > Install", "Guide > Use", "Guide > Use > Deep"),
                chunks.stream().map(Chunk::heading).toList());
        assertEquals(
                List.of("", "Guide", "Guide", "Guide > Use"),
                chunks.stream().map(Chunk::context).toList());
        assertTrue(chunks.get(1).in(text).startsWith("## Install"));
    }

    @Test
    void smallSectionsShareAChunk() {
        String text = IntStream.range(0, 40)
                .mapToObj(i -> "## Part " + i + "\n\n" + words(40) + "\n")
                .collect(Collectors.joining("\n"));
        for (Chunk chunk : CHUNKER.chunk(DocumentConverter.markdown(text))) {
            assertTrue(tokens(chunk.in(text)) >= 120, chunk.in(text));
        }
    }

    @Test
    void codeAndTablesThatFitStayWhole() {
        String code = "```java\n" + "int x = 1;\n\n".repeat(60) + "```";
        String table = "| a | b |\n| - | - |\n" + "| one | two |\n".repeat(50);
        String text = words(400) + "\n\n" + code + "\n\n" + words(300) + "\n\n" + table + "\n" + words(400);
        List<Chunk> chunks = CHUNKER.chunk(DocumentConverter.markdown(text));
        assertTrue(chunks.stream().anyMatch(chunk -> chunk.in(text).contains(code)));
        assertTrue(chunks.stream().anyMatch(chunk -> chunk.in(text).contains(table.strip())));
    }

    @Test
    void aHeadingIsNotLeftAloneAtTheEndOfAChunk() {
        String text = "# A\n\n" + words(60) + "\n\n## B\n\n" + words(500) + "\n\n## C\n\n" + words(480);
        for (Chunk chunk : CHUNKER.chunk(DocumentConverter.markdown(text))) {
            assertTrue(chunk.in(text).lines().reduce("", (_, last) -> last).startsWith("w"), chunk.in(text));
        }
    }

    @Test
    void aLongParagraphIsCutAtSentencesWithOverlap() {
        String sentence = "This sentence has exactly eight words in it. ";
        String text = sentence.repeat(200).strip();
        List<Chunk> chunks = CHUNKER.chunk(plain(text));
        assertTrue(chunks.size() > 3);
        for (int i = 1; i < chunks.size(); i++) {
            Chunk chunk = chunks.get(i);
            assertTrue(chunk.in(text).startsWith("This"));
            int shared = chunks.get(i - 1).end() - chunk.start();
            assertTrue(shared > 0 && tokens(text.substring(chunk.start(), chunk.start() + shared)) <= 64);
        }
    }

    @Test
    void aShortTailJoinsTheChunkBefore() {
        String text = "# A\n\n" + words(400) + "\n\n## B\n\n" + words(20);
        assertEquals(
                1,
                CHUNKER.chunk(DocumentConverter.markdown(text + words(170) + "\n\n## C\n\nend")).stream()
                        .filter(chunk -> chunk.heading().equals("A > B"))
                        .count());
        assertEquals(
                0,
                CHUNKER.chunk(DocumentConverter.markdown(text + words(170) + "\n\n## C\n\nend")).stream()
                        .filter(chunk -> chunk.heading().contains("C"))
                        .count());
    }

    @Test
    void hugeTextWithoutAnyStructureIsCutWithinBounds() {
        String text = "x".repeat(3_000_000);
        check(plain(text));
    }

    @Test
    void aChunkKnowsAllPagesThatItsWordsAreOn() {
        StringBuilder text = new StringBuilder();
        List<Integer> starts = new ArrayList<>();
        for (int length : new int[] {600, 30, 0, 30, 30, 0}) {
            starts.add(text.length());
            text.append(words(length)).append("\n\n");
        }
        List<List<Integer>> pages =
                CHUNKER
                        .chunk(new ConvertedDocument(text.toString(), ConvertedDocument.Markup.PLAIN, null, starts))
                        .stream()
                        .map(Chunk::pages)
                        .toList();
        assertEquals(List.of(1), pages.getFirst(), "one huge page");
        assertEquals(List.of(1, 2, 4, 5), pages.getLast(), "empty pages have no words");
        assertEquals(List.of(), CHUNKER.chunk(plain(words(900))).getLast().pages());
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    @Test
    void eachChunkOfALongTableHasItsNamesAndWholeRows() {
        String head = row("Straße", "名前", "size\\|mm") + "| --- | :-: | --- |\n";
        String rows = IntStream.range(0, 5000)
                .mapToObj(i -> row("lane " + i, "値 " + i, String.valueOf(i)))
                .collect(Collectors.joining());
        String text = "# Roads\n\n" + head + rows + "\nThe end.";
        List<Chunk> chunks = CHUNKER.chunk(DocumentConverter.markdown(text));
        check(DocumentConverter.markdown(text));
        assertTrue(chunks.size() > 50, () -> "chunks: " + chunks.size());
        for (Chunk chunk : chunks) {
            String shown = chunk.in(text);
            assertEquals(1, shown.split("\\| Straße \\| 名前 \\| size\\\\\\|mm \\|\n", -1).length - 1, shown);
            assertTrue(shown.lines()
                    .filter(line -> line.contains("lane"))
                    .allMatch(line -> line.matches("\\| lane .*\\|")));
            assertEquals("Roads", chunk.heading());
        }
    }

    @Test
    void aRowThatIsLongerThanAChunkIsCutBetweenItsCellsEachWithItsName() {
        String head = row("id", "summary", "details") + "|---|---|---|\n";
        String text = head + row("1", "short", words(1200)) + row("2", words(300), words(300)) + row("3", "x", "y");
        List<String> shown = chunked(text);
        check(DocumentConverter.markdown(text));
        assertTrue(shown.stream().anyMatch(chunk -> chunk.startsWith("| details |\n| --- |\n")), shown::toString);
        assertTrue(
                shown.stream().anyMatch(chunk -> chunk.startsWith("| id | summary |\n| --- | --- |\n| 2 | w0")),
                shown::toString);
        assertTrue(shown.getLast().startsWith("| id | summary | details |\n| --- | --- | --- |\n| 3 | x | y"));
    }

    @Test
    void aTableOfMoreColumnsThanFitIsCutBetweenColumns() {
        String[] names = IntStream.range(0, 600).mapToObj(i -> "column " + i).toArray(String[]::new);
        String[] values = IntStream.range(0, 600).mapToObj(i -> "value " + i).toArray(String[]::new);
        String text = row(names) + "|" + "---|".repeat(600) + "\n" + row(values) + row(values);
        check(DocumentConverter.markdown(text));
        for (String chunk : chunked(text)) {
            for (String line : chunk.contains("value") ? chunk.lines().skip(2).toList() : List.<String>of()) {
                String first = line.replaceFirst("\\| value (\\d+).*", "$1");
                assertTrue(chunk.startsWith("| column " + first + " |"), chunk);
            }
        }
    }

    @Test
    void aTableWithoutNamesRepeatsNone() {
        String rows = row("alpha", "beta").repeat(2000);
        for (String text : List.of(rows, row("", "") + "| --- | --- |\n" + rows)) {
            check(DocumentConverter.markdown(text));
            assertTrue(CHUNKER.chunk(DocumentConverter.markdown(text)).stream()
                    .allMatch(chunk -> chunk.columns().isEmpty()));
        }
    }

    @Test
    void tablesWithoutPipesAtTheirEndsAreTables() {
        String text = "Words.\n\nname | value\n--- | ---\n" + "some | thing\n".repeat(2000) + "\nWords again.";
        check(DocumentConverter.markdown(text));
        for (String chunk : chunked(text)) {
            assertEquals(chunk.contains("some | thing"), chunk.contains("name | value"), chunk);
        }
    }

    @Test
    void delimitedValuesKeepTheirFormWithTheNamesBeforeEachChunk() {
        String text = "name;note\n" + "Ada;\"likes; all\n of it\"\n".repeat(2000);
        ConvertedDocument csv = new ConvertedDocument(text, ConvertedDocument.Markup.CSV, null, List.of());
        check(csv);
        List<Chunk> chunks = CHUNKER.chunk(csv);
        assertTrue(chunks.size() > 10);
        for (Chunk chunk : chunks) {
            assertTrue(chunk.in(text).startsWith("name;note\nAda;\"likes"), chunk.in(text));
            assertTrue(chunk.in(text).endsWith("of it\""), chunk.in(text));
        }
        check(new ConvertedDocument(
                "a,\"never ends\n" + "b,c\n".repeat(3000), ConvertedDocument.Markup.CSV, null, List.of()));
        check(new ConvertedDocument("1,2\n" + "3,4\n".repeat(3000), ConvertedDocument.Markup.CSV, null, List.of()));
        check(new ConvertedDocument("", ConvertedDocument.Markup.CSV, null, List.of()));
    }

    private static List<String> chunked(String text) {
        return CHUNKER.chunk(DocumentConverter.markdown(text)).stream()
                .map(chunk -> chunk.in(text))
                .toList();
    }

    @Property(tries = 150)
    void everyCharacterIsInSomeChunkAndNoChunkIsTooLong(@ForAll("documents") String text) {
        check(DocumentConverter.markdown(text));
        check(plain(text));
    }

    @Provide
    Arbitrary<String> documents() {
        Arbitrary<String> line = Arbitraries.of(
                "# Heading",
                "Underlined\n===",
                "```",
                "| a | b |",
                "| a | b |\n| --- | --- |\n" + "| one | two |\n".repeat(300),
                "| name | text |\n|---|---|\n| " + words(800) + " | " + words(20) + " |",
                "- item " + words(30),
                words(90),
                words(700),
                "x".repeat(5000),
                "日本語の文章です。".repeat(120),
                "😀".repeat(900),
                "",
                "",
                "   ",
                "####### no heading",
                "tail. Another! And more? " + words(12));
        return line.list().ofMinSize(0).ofMaxSize(40).map(lines -> String.join("\n", lines));
    }

    private static void check(ConvertedDocument document) {
        String text = document.text();
        BitSet covered = new BitSet();
        int last = -1;
        for (Chunk chunk : CHUNKER.chunk(document)) {
            assertTrue(tokens(chunk.in(text)) <= ChunkSizes.STANDARD.max(), "too long");
            assertTrue(chunk.start() > last, "not in order");
            assertTrue(!Character.isLowSurrogate(text.charAt(chunk.start())), "pair parted");
            covered.set(chunk.start(), chunk.end());
            last = chunk.start();
        }
        for (int i = 0; i < text.length(); i++) {
            assertTrue(Character.isWhitespace(text.charAt(i)) || covered.get(i), "lost character " + i);
        }
    }

    private static String words(int count) {
        return IntStream.range(0, count).mapToObj(i -> "w" + i % 97).collect(Collectors.joining(" "));
    }

    private static ConvertedDocument plain(String text) {
        return new ConvertedDocument(text, ConvertedDocument.Markup.PLAIN, null, List.of());
    }

    private static int tokens(String text) {
        int count = 0;
        for (String word : text.split("\\s+")) {
            count += (word.length() + 3) / 4;
        }
        return count;
    }
}
