package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelTraitsTest {
    /** English, and a query that does not tell its language, have no code. */
    @Test
    void cosinesCountLessInALanguageThatTheModelWasNotTrainedOn() {
        ModelTraits english = new ModelTraits(ModelLanguages.ENGLISH, Optional.empty()).withWeight(0.5);
        assertEquals(0.5, english.weight(Optional.empty()));
        assertEquals(0.5, english.weight(Optional.of("en")));
        assertEquals(0.5 * 0.7, english.weight(Optional.of("de")), 1e-9);
        assertEquals(1, ModelTraits.UNKNOWN.weight(Optional.of("de")), "trained on all languages");
    }
}
