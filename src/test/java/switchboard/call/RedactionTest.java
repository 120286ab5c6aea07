package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sb_0123456789_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZ2VudCJ9.c2lnbmF0dXJl",
                "sk-proj-0123456789abcdefghij",
                "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
                "AKIAIOSFODNN7EXAMPLE",
                "Bearer abcdef0123456789",
                "password=hunter22",
                "\"api_key\": \"0123456789\"",
                "postgresql://agent:hunter2@"
            })
    void whatLooksLikeASecretIsTakenOut(String secret) {
        String left = Redaction.SECRETS.text("before " + secret + " after");
        assertEquals("before ", left.substring(0, 7));
        assertEquals(false, left.contains("hunter2") || left.contains("0123456789a") || left.contains(secret), left);
        assertEquals(true, left.contains(Redaction.MARK) && left.endsWith(" after"), left);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The password of a secret garden is a token of trust.",
                "sb_x_y and eyJ and AKIA",
                "https://example.com/a:b/c@d?x=1",
                "basic research"
            })
    void plainTextStays(String text) {
        assertEquals(text, Redaction.SECRETS.text(text));
    }

    @Test
    void stringsAreRedactedWhereverTheyAreInATree() throws JsonProcessingException {
        JsonNode tree =
                Json.parse("{\"to@example.org\":[\"write to a.b+c@mail.example.org, or\",{\"n\":1,\"x\":null}]}");
        assertEquals(
                "{\"to@example.org\":[\"write to [redacted], or\",{\"n\":1,\"x\":null}]}",
                Json.text(Redaction.of(List.of("email")).tree(tree)));
        assertSame(tree, Redaction.NOTHING.tree(tree));
    }

    @Test
    void anOperatorsPatternWorksBesideTheNamedOnes() {
        Redaction redaction = Redaction.of(List.of("ACME-\\d{6}", "email"));
        assertEquals("[redacted] and [redacted]", redaction.text("ACME-123456 and x@example.org"));
    }

    @Test
    void aPatternThatMakesOtherMatchersExplodeTakesLinearTime() {
        Redaction redaction = Redaction.of(List.of("(a+)+b"));
        String text = "a".repeat(200_000);
        assertEquals(text, redaction.text(text));
    }

    @Test
    void aPatternThatIsNoneIsNamed() {
        String message = assertThrows(IllegalArgumentException.class, () -> Redaction.of(List.of("email", "a(b")))
                .getMessage();
        assertEquals("the pattern \"a(b\" can't be read: missing closing )", message);
        assertThrows(IllegalArgumentException.class, () -> Redaction.of(List.of("x*")));
    }

    /** In an address each part is percent-encoded, where patterns don't know it. */
    @Test
    void privateNamesInAddressesAreReplaced() {
        Redaction redaction = Redaction.of(List.of("email", "ACME [0-9]+"));
        String mail = DocumentAddress.of("engine", "ann@example.com", "d 1");
        assertEquals("switchboard://engine/[redacted]/d%201", redaction.text(mail));
        assertEquals(
                "{\"address\":\"switchboard://engine/notes/[redacted]\",\"next\":\"switchboard://engine/notes/a%2Fb\"}",
                redaction.text("{\"address\":\"" + DocumentAddress.of("engine", "notes", "of ACME 47.md")
                        + "\",\"next\":\"" + DocumentAddress.of("engine", "notes", "a/b") + "\"}"));
        assertEquals(
                "\"switchboard://[redacted]/[redacted]/[redacted]\"",
                redaction.text("\"switchboard://ann@example.com/ACME%207/ann%40example.com\""),
                "one part does not hide the next");
        assertEquals(
                "see switchboard://e/[x]/[redacted] now",
                redaction.text("see switchboard://e/[x]/ann%40example.com now"));
        assertEquals("switchboard://engine/%zz/x", redaction.text("switchboard://engine/%zz/x"));
        assertEquals(mail, Redaction.NOTHING.text(mail));
    }
}
