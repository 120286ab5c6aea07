package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds of what calls carry. */
class CallLimitsTest {
    private static Map<String, String> values(int count, int length) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "name" + i, _ -> "v".repeat(length)));
    }

    @Test
    void aSessionKeeps16ValuesOf256Characters() {
        assertEquals(16, new SessionValues(values(16, 256)).byName().size());
        assertThrows(IllegalArgumentException.class, () -> new SessionValues(values(17, 1)));
        assertThrows(IllegalArgumentException.class, () -> new SessionValues(values(1, 257)));
        assertThrows(IllegalArgumentException.class, () -> new SessionValues(values(16, 1))
                .with(SessionValues.of("one more", "v")));
    }

    @Test
    void newerValuesReplaceThoseOfTheSameName() {
        SessionValues kept = new SessionValues(Map.of("a", "old", "b", "old"));
        assertEquals(new SessionValues(Map.of("a", "new", "b", "old")), kept.with(SessionValues.of("a", "new")));
    }

    @Test
    void aSourceIsAskedForUpTo100Passages() {
        assertEquals(1, new SourceQuery("q", List.of(), 1).limit());
        assertEquals(100, new SourceQuery("q", List.of(), 100).limit());
        assertThrows(IllegalArgumentException.class, () -> new SourceQuery("q", List.of(), 0));
        assertThrows(IllegalArgumentException.class, () -> new SourceQuery("q", List.of(), 101));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab12c", "a", ""})
    void aValueThatIsTooShortToBeASecretIsNotRemoved(String harmless) {
        assertEquals("a word ab12c stays", Secrets.of(List.of(harmless)).scrub("a word ab12c stays"));
    }

    @Test
    void sixCharactersAreASecretEvenIfTheyAreTheWholeText() {
        assertEquals("***", Secrets.of(List.of("ab12cd")).scrub("ab12cd"));
        assertEquals("***", Secrets.of(List.of("Bearer ab12cd")).scrub("ab12cd"), "without its scheme");
        assertEquals("***", Secrets.NONE.and(List.of("ab12cd")).scrub("ab12cd"));
    }

    @Test
    void numbersNamesAndElementsAreSearchedForSecrets() {
        Secrets secrets = Secrets.of(List.of("123456"));
        assertEquals(
                Json.object()
                        .put("***", "***")
                        .set("list", Json.array().add("***").add(true)),
                secrets.scrub(Json.object()
                        .put("123456", 123456)
                        .set("list", Json.array().add("123456").add(true))));
    }
}
