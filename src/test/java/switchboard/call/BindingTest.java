package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BindingTest {
    private static final Map<String, Claim> CLAIMS = Map.of(
            "department", Claim.of("sales"),
            "/org/unit", Claim.of("u{claim:department}"),
            "groups", Claim.of(List.of("staff", "managers")),
            "none", Claim.of(List.of()),
            "empty", Claim.of(" "));

    private static Binding binding(String text) {
        Caller caller = new Caller("red", "ann", Rights.ALL, ResourceScope.ALL, Map.of("tenant", text), CLAIMS);
        return caller.binding("tenant").orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fixed | fixed
            {claim:department} | sales
            {team}-{principal}/{claim:department} | red-ann/sales
            {claim:/org/unit} | u{claim:department}
            {"docs": {}} | {"docs": {}}
            """)
    void placeholdersAreReplacedOnce(String text, String value) {
        assertEquals(value, binding(text).value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{claim:level}", "x-{claim:level}", "{claim:none}", "{claim:empty}"})
    void whoLacksAClaimIsDeniedAndToldWhichOne(String text) {
        ToolException denied = assertThrows(ToolException.class, binding(text)::value);
        assertEquals(FailureKind.DENIED, denied.failed().kind());
        assertTrue(denied.getMessage().contains("tenant"), denied.getMessage());
        assertTrue(denied.getMessage().contains(text.substring(text.indexOf(':') + 1, text.length() - 1)));
        assertThrows(ToolException.class, binding(text)::values);
        assertThrows(ToolException.class, () -> binding(text).expression((claim, before) -> "?"));
    }

    @Test
    void aListIsNoSingleValue() {
        assertThrows(ToolException.class, binding("{claim:groups}")::value);
        assertThrows(ToolException.class, binding("x{claim:groups}")::values);
        assertEquals(List.of("staff", "managers"), binding("{claim:groups}").values());
        assertEquals(List.of("sales"), binding("{claim:department}").values());
        assertEquals(List.of("x-sales"), binding("x-{claim:department}").values());
        assertEquals(List.of("sales"), binding("{list:department}").values());
        assertThrows(ToolException.class, binding("{list:department}")::value);
        assertTrue(binding("{list:groups}").list());
        assertFalse(binding("{claim:groups}").list());
        assertFalse(binding("x{list:groups}").list());
        assertEquals(
                List.of("groups", "department"),
                binding("{list:groups}{team}{claim:department}").claims());
    }

    @Test
    void literalsKnowWhatIsBeforeThem() {
        assertEquals(
                "a IN <a IN 2> AND b = <a IN {claim:groups} AND b = 1>",
                binding("a IN {claim:groups} AND b = {claim:department}")
                        .expression(
                                (claim, before) -> "<" + before + claim.texts().size() + ">"));
    }

    @Test
    void whatOnlyLooksLikeAPlaceholderIsAProblem() {
        for (String text : List.of(
                "{user}",
                "{ principal}",
                "{claim:\"sub\"}",
                "{claim:sub",
                "x {list :a}",
                "{claim:" + "x".repeat(201) + "}",
                "x {claims:department}",
                "{claim:}",
                "{Team}",
                "{principal }")) {
            assertTrue(Binding.problem(text).isPresent(), text);
        }
        for (String text : List.of(
                "",
                "plain",
                "{claim:a b}",
                "{list:a}",
                "{team}{principal}",
                "{ \"docs\": {}}",
                "{\"docs\": {\"filter\": \"a\"}}",
                "{}")) {
            assertEquals(Optional.empty(), Binding.problem(text), text);
        }
    }

    @Test
    void claimsAreBoundedAndNotPrinted() {
        assertFalse(Claim.of("secret").toString().contains("secret"));
        assertFalse(Claim.of(List.of("secret")).toString().contains("secret"));
        assertThrows(IllegalArgumentException.class, () -> Claim.of("x".repeat(1001)));
        assertThrows(IllegalArgumentException.class, () -> new Claim(List.of("a", "b"), false));
    }
}
