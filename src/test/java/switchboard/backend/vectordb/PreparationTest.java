package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.convert.DocumentConverter;
import switchboard.store.ChunkEmbedders;
import switchboard.store.SearchedText;
import switchboard.testing.CalculatedEmbedder;

/** What a model gets of the texts that callers give. */
class PreparationTest {
    private static final int TOKENS = 60;

    private static List<SearchedText> passages(String text, @Nullable String title) {
        // Its tokens are characters.
        ChunkEmbedders model =
                ChunkEmbedders.of(Optional.of(new CalculatedEmbedder("short", 2, TOKENS, _ -> new float[] {1, 0})));
        return new Preparation(new DocumentConverter())
                .prepare("note", new FetchedSource.CallerText(text, title), model, () -> false)
                .passages();
    }

    @Test
    void theTitleStandsBeforeATextThatDoesNotHaveIt() {
        assertEquals(List.of(new SearchedText("Days off", "Thirty a year.")), passages("Thirty a year.", "Days off"));
        assertEquals(List.of(new SearchedText("", "Days off: thirty.")), passages("Days off: thirty.", "Days off"));
        assertEquals(List.of(new SearchedText("", "Of days off.")), passages("Of days off.", "days off"));
        assertEquals(
                List.of(new SearchedText("", "# Days off\n\nThirty.")), passages("# Days off\n\nThirty.", "Days off"));
    }

    /** Source code whose comments look like headings: the first one is the title of the text. */
    @Test
    void aTitleThatIsFoundInATextIsNotRepeatedBeforeIt() {
        String code = "def f():\n    pass\n\n# Open it\nf()";
        assertEquals(List.of(new SearchedText("", code)), passages(code, null));
    }

    @Test
    void aTextThatFillsTheModelsInputIsEmbeddedWithoutItsTitle() {
        String fitting = "x".repeat(TOKENS - "Title\n".length());
        assertEquals(List.of(new SearchedText("Title", fitting)), passages(fitting, "Title"));
        assertEquals(List.of(new SearchedText("", fitting + "y")), passages(fitting + "y", "Title"));
    }

    @Test
    void ofALongTitleTheBeginningIsEmbeddedAndNoPairIsCut() {
        for (String before : List.of("", "a")) {
            String title = before + "🦉".repeat(200);
            for (SearchedText passage : passages("word ".repeat(100).strip() + ".", title)) {
                assertTrue(title.startsWith(passage.context()), passage::context);
                assertTrue(
                        passage.context().length() >= 118 && passage.context().length() <= 120, passage::context);
                assertTrue(!Character.isHighSurrogate(
                        passage.context().charAt(passage.context().length() - 1)));
            }
        }
    }
}
