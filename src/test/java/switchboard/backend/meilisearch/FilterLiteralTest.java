package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Binding;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.ToolException;

class FilterLiteralTest {
    private static String filter(String text, Claim claim) {
        Caller caller =
                new Caller("red", "ann", Rights.ALL, ResourceScope.ALL, Map.of("filter", text), Map.of("c", claim));
        Binding binding = caller.binding("filter").orElseThrow();
        return binding.expression(new FilterLiteral(binding));
    }

    @Test
    void aTextIsQuotedAndAListFollowsIn() {
        assertEquals("a = \"x y\"", filter("a = {claim:c}", Claim.of("x y")));
        assertEquals("a = \"x\\\" OR b = \\\"y\"", filter("a = {claim:c}", Claim.of("x\" OR b = \"y")));
        assertEquals("a IN [\"x\", \"y'\"]", filter("a IN {claim:c}", Claim.of(List.of("x", "y'"))));
        assertEquals("a NOT IN [\"x\"] AND b = 1", filter("a NOT IN {claim:c} AND b = 1", Claim.of("x")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a = {claim:c}", "{claim:c}", "aIN {claim:c}", "a in {claim:c}"})
    void aListElsewhereIsRefused(String text) {
        assertDenied(text, Claim.of(List.of("x", "y")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"back\\slash", "\\", "new\nline", "nul\0"})
    void whatTheEngineCantReadBackIsRefused(String value) {
        assertDenied("a != {claim:c}", Claim.of(value));
        assertDenied("a IN {claim:c}", Claim.of(List.of("x", value)));
    }

    /** As the engine compares: see the filters of `meilisearch` in docs/security.md. */
    @ParameterizedTest
    @ValueSource(strings = {"ｈｒ", "hr ", " hr", "hr\u00a0", "\u2003hr", "e\u0301", "ﬁnance", "x²", "ｶﾀ"})
    void whatTheEngineTakesForAnotherTextIsRefused(String value) {
        assertDenied("a = {claim:c}", Claim.of(value));
        assertDenied("a IN {claim:c}", Claim.of(List.of("x", value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HR", "qualité", "東京 都", "カタ", "a_b/c.d-e", "Größe", "한국", "ё"})
    void otherTextsStay(String value) {
        assertEquals("a = \"" + value + "\"", filter("a = {claim:c}", Claim.of(value)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = \"{claim:c}\"",
                "a = '{claim:c}'",
                "a = \"by {claim:c}\"",
                "a = 'by {claim:c} and'",
                "a = 'it\\'s {claim:c}'",
                "a = \"o'clock {claim:c}\"",
                "a IN ['{claim:c}']"
            })
    void aPlaceholderInATextOfTheOperatorIsRefused(String text) {
        assertDenied(text, Claim.of(" OR id != zzz OR x = "));
    }

    @Test
    void textsOfTheOperatorMayStandBeforeAndAfter() {
        assertEquals(
                "a = 'it\\'s' AND b = \"x\" AND c = 'y'",
                filter("a = 'it\\'s' AND b = {claim:c} AND c = 'y'", Claim.of("x")));
        assertEquals("a IN [\"x\"]", filter("a IN {list:c}", Claim.of("x")));
        assertDenied("a = {list:c}", Claim.of("x"));
    }

    /** The engine reads a text up to the first quotation mark without a backslash before it. */
    @Property
    void noValueEndsItsOwnText(@ForAll String value) {
        String filter;
        try {
            filter = filter("a = {claim:c}", Claim.of(value));
        } catch (ToolException | IllegalArgumentException refused) {
            return;
        }
        String rest = filter.substring("a = \"".length());
        int at = 0;
        while (rest.charAt(at) != '"') {
            at += rest.charAt(at) == '\\' ? 2 : 1;
        }
        assertEquals(rest.length() - 1, at, filter);
        assertEquals(value, rest.substring(0, at).replace("\\\"", "\""));
    }

    private static void assertDenied(String text, Claim claim) {
        ToolException denied = assertThrows(ToolException.class, () -> filter(text, claim));
        assertEquals(FailureKind.DENIED, denied.failed().kind());
    }
}
