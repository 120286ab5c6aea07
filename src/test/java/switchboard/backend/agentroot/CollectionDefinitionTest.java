package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

class CollectionDefinitionTest {
    /** On disk, half of a character would be a question mark. */
    @ParameterizedTest
    @ValueSource(strings = {"a\ud800", "\udc00a", "a/b", "..", " a", "a\0"})
    void aNameThatIsAmbiguousSomewhereIsRefused(String name) {
        ToolException refused = assertThrows(ToolException.class, () -> CollectionDefinition.checked(name));
        assertEquals(FailureKind.INVALID_ARGUMENT, refused.failed().kind());
    }

    @Test
    void lengthIsCountedAsInTheSchemaOfTheTool() {
        String longest = "\ud83d\ude00".repeat(100);
        assertEquals(longest, CollectionDefinition.checked(longest));
        assertThrows(ToolException.class, () -> CollectionDefinition.checked(longest + "a"));
    }
}
