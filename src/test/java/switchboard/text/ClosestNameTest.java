package switchboard.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClosestNameTest {
    @Test
    void findsTheCloseNameAndOnlyThat() {
        List<String> known = List.of("top_k", "library", "query");
        assertEquals(Optional.of("top_k"), ClosestName.of("topK", known));
        assertEquals(Optional.of("library"), ClosestName.of("libary", known));
        assertEquals(Optional.of("query"), ClosestName.of("QUERY", known));
        assertEquals(Optional.empty(), ClosestName.of("colour", known));
        assertEquals(Optional.empty(), ClosestName.of("", known));
        assertEquals(Optional.empty(), ClosestName.of("query", List.of()));
    }

    @Test
    void breaksTiesByAlphabet() {
        assertEquals(Optional.of("bat"), ClosestName.of("xat", List.of("cat", "bat")));
    }

    @Test
    void aNameWithNothingInCommonIsNotClose() {
        assertEquals(Optional.empty(), ClosestName.of("1", List.of("*", "a", "")));
        assertEquals(Optional.empty(), ClosestName.of("_", List.of("a")));
        assertEquals(Optional.of("1a"), ClosestName.of("1", List.of("*", "1a")));
        assertEquals(Optional.of("1"), ClosestName.of("_1", List.of("*", "1")));
    }

    @Test
    void bearsHugeNames() {
        assertEquals(Optional.empty(), ClosestName.of("x".repeat(1_000_000), List.of("top_k")));
    }
}
