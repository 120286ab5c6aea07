package switchboard.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void findsTheCloseNameAndOnlyThat() {
        List<String> known = List.of("top_k", "library", "query");
        assertEquals(Optional.of("top_k"), Nearest.of("topK", known));
        assertEquals(Optional.of("library"), Nearest.of("libary", known));
        assertEquals(Optional.of("query"), Nearest.of("QUERY", known));
        assertEquals(Optional.empty(), Nearest.of("colour", known));
        assertEquals(Optional.empty(), Nearest.of("", known));
        assertEquals(Optional.empty(), Nearest.of("query", List.of()));
    }

    @Test
    void breaksTiesByAlphabet() {
        assertEquals(Optional.of("bat"), Nearest.of("xat", List.of("cat", "bat")));
    }

    @Test
    void bearsHugeNames() {
        assertEquals(Optional.empty(), Nearest.of("x".repeat(1_000_000), List.of("top_k")));
    }
}
