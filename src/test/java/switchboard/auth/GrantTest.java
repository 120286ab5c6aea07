package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Verb;

class GrantTest {
    @Test
    void readsItsThreeParts() {
        assertEquals(
                new Grant("vectordb", Set.of(Verb.READ, Verb.SEARCH), "team-*"),
                Grant.parse("vectordb:read,search:team-*"));
        assertEquals(new Grant("vectordb", Set.of(Verb.READ, Verb.SEARCH), "*"), Grant.parse("vectordb:read search"));
        assertEquals(new Grant("*", EnumSet.allOf(Verb.class), "a:b"), Grant.parse("*:*:a:b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "vectordb", "vectordb:", ":read", "vectordb:fly"})
    void refusesAnythingElseAndSaysWhy(String text) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> Grant.parse(text));
        assertTrue(String.valueOf(refusal.getMessage()).contains("\"" + text + "\""));
    }
}
