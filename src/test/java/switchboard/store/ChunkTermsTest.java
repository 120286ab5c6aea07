package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.TermStatistics;

/** By which terms chunks are found. */
@ExtendWith(VertxExtension.class)
class ChunkTermsTest {
    private static final String DEFINES = "def read_header(file):\n    return parse(file.readline())\n";
    private static final String CALLS =
            "def load(file):\n    read_header(file)\n    return read_header(file), read_header(file)\n";

    @TempDir
    Path folder;

    @Test
    void definedNamesFollowTheTextOfSourceCode() {
        List<String> terms = ChunkTerms.of(DEFINES, Optional.empty());
        List<String> text = TextAnalysis.ofDocument(DEFINES, Optional.empty());
        assertEquals(text, terms.subList(0, text.size()));
        assertEquals(
                TextAnalysis.ofDocument("read_header ".repeat(ChunkTerms.NAMES), Optional.empty()),
                terms.subList(text.size(), terms.size()));
    }

    @Test
    void proseHasTheTermsOfItsText() {
        String prose = "The class Header is the one that a file begins with, as far as the record type of it is known.";
        assertEquals(TextAnalysis.ofDocument(prose, Optional.empty()), ChunkTerms.of(prose, Optional.empty()));
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
