package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.call.TermStatistics;

/** By which terms chunks are found. */
@ExtendWith(VertxExtension.class)
class ChunkTermsTest {
    private static final String DEFINES = "def read_header(file):\n    return parse(file.readline())\n";
    private static final String CALLS =
            "def load(file):\n    read_header(file)\n    return read_header(file), read_header(file)\n";

    private static final String PROSE =
            "The class Header is the one that a file begins with, as far as the record type of it is known.";

    @TempDir
    Path folder;

    @Test
    void definedNamesFollowTheTextOfSourceCode() {
        List<String> text = TextAnalysis.ofDocument(DEFINES, Optional.empty());
        ChunkTerms terms = ChunkTerms.of(DEFINES, "Title", Optional.empty());
        assertEquals(text, terms.all().subList(0, terms.inText()));
        assertEquals(
                TextAnalysis.ofDocument("read_header ".repeat(ChunkTerms.NAMES), Optional.empty()),
                terms.all().subList(terms.inText(), terms.all().size()));
    }

    @Test
    void theTitleAndTheHeadingsFollowTheTextOfProse() {
        List<String> text = TextAnalysis.ofDocument(PROSE, Optional.empty());
        ChunkTerms terms = ChunkTerms.of(PROSE, "Files > Headers", Optional.empty());
        assertEquals(text, terms.all().subList(0, terms.inText()));
        assertEquals(
                TextAnalysis.ofDocument("Files > Headers", Optional.empty()),
                terms.all().subList(terms.inText(), terms.all().size()));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"-,-", "Files,-", "-,Headers", "Files and more,Headers too"})
    void aLineHasThemAll(@Nullable String text, @Nullable String headings) {
        ChunkTerms terms = ChunkTerms.of(
                Objects.requireNonNullElse(text, ""), Objects.requireNonNullElse(headings, ""), Optional.empty());
        assertEquals(terms, ChunkTerms.ofLine(terms.line()));
    }

    @Test
    void aDocumentIsFoundByItsTitleButNotByTheNameOfItsFile(Vertx vertx) {
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            fixture.put(BOOKS, titled("files/winch.txt", "winch.txt", ""));
            fixture.put(BOOKS, titled("files/a.txt", "Anchor", ""));
            fixture.put(BOOKS, titled("files/b.txt", "Chain " + "x".repeat(300) + " capstan", "Chains > Hawser"));
            assertEquals(List.of(), fixture.sources(fixture.search("winch", BOOKS)));
            assertEquals(List.of("files/a.txt"), fixture.sources(fixture.search("anchor", BOOKS)));
            assertEquals(List.of("files/b.txt"), fixture.sources(fixture.search("chain", BOOKS)));
            assertEquals(List.of("files/b.txt"), fixture.sources(fixture.search("hawser", BOOKS)));
            assertEquals(List.of(), fixture.sources(fixture.search("capstan", BOOKS)));
        }
    }

    private static NewDocument titled(String source, String title, String headings) {
        return new NewDocument(
                new DocumentDetails(source, title, "txt", null, source, Json.object()),
                "rope",
                null,
                List.of(Chunk.of(0, "rope".length()).below(headings, "")));
    }

    @Test
    void whatIsDefinedIsFoundBeforeWhatCallsIt(Vertx vertx) {
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            fixture.put(BOOKS, StoreFixture.doc("calls", CALLS));
            fixture.put(BOOKS, StoreFixture.doc("defines", DEFINES));
            assertEquals(
                    List.of("defines", "calls"), fixture.sources(fixture.search("Where is the header read?", BOOKS)));
        }
    }

    @Test
    void passagesOfSeveralCollectionsAreScoredTheSameWay() {
        double[] scores = PooledKeywordScore.of(
                        "Where is the header read?", List.of(CALLS, DEFINES), TermStatistics.NONE)
                .values();
        assertTrue(scores[0] < scores[1], () -> scores[0] + " < " + scores[1]);
    }
}
