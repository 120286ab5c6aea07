package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentUriTest {
    @ParameterizedTest
    @CsvSource({
        "a, b, c, switchboard://a/b/c",
        "a, b/c, d e, switchboard://a/b%2Fc/d%20e",
        "a, b+c, 100%, switchboard://a/b%2Bc/100%25",
        "a, ä, 🦉, switchboard://a/%C3%A4/%F0%9F%A6%89"
    })
    void everyNameIsReadBack(String backend, String source, String document, String text) {
        DocumentUri uri = new DocumentUri(backend, source, document);
        assertEquals(text, uri.toString());
        assertEquals(Optional.of(uri), DocumentUri.parse(text));
    }

    @Test
    void aPlusThatIsNotEncodedIsAPlus() {
        assertEquals(Optional.of(new DocumentUri("a", "b", "c+d")), DocumentUri.parse("switchboard://a/b/c+d"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a/b/c",
                "https://a/b/c",
                "switchboard://",
                "switchboard://a/b",
                "switchboard://a/b/c/d",
                "switchboard:///b/c",
                "switchboard://a//c",
                "switchboard://a/b/",
                "switchboard://a/b/%",
                "switchboard://a/b/%zz"
            })
    void anythingElseIsNoAddress(String text) {
        assertEquals(Optional.empty(), DocumentUri.parse(text));
    }

    @Test
    void addressesAreOrderedAsTheyAreWritten() {
        assertTrue(new DocumentUri("a", "b", "c").compareTo(new DocumentUri("a", "b", "d")) < 0);
        assertTrue(new DocumentUri("b", "a", "a").compareTo(new DocumentUri("a", "z", "z")) > 0);
        assertEquals(0, new DocumentUri("a", "b", "c").compareTo(new DocumentUri("a", "b", "c")));
    }
}
