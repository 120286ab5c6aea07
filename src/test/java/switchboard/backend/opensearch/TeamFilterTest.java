package switchboard.backend.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.ToolException;

class TeamFilterTest {
    private static Caller caller(String name, String filter) {
        Map<String, Claim> claims = Map.of("one", Claim.of("*\"}} OR x"), "groups", Claim.of(List.of("a", "b")));
        return new Caller("red", "k", Rights.ALL, ResourceScope.ALL, Map.of(name, filter), claims);
    }

    @Test
    void withoutABindingThereIsNoFilter() {
        assertEquals(Optional.empty(), TeamFilter.of(Caller.unrestricted()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"term\": {\"t\": \"{claim:one}\"}} | {\"term\":{\"t\":\"*\\\"}} OR x\"}}",
                "{\"terms\": {\"g\": \"{list:groups}\"}} | {\"terms\":{\"g\":[\"a\",\"b\"]}}",
                "{\"terms\": {\"g\": [\"{list:groups}\", \"public\"]}} | {\"terms\":{\"g\":[\"a\",\"b\",\"public\"]}}",
                "{\"range\": {\"l\": {\"lte\": \"{team}\"}}} | {\"range\":{\"l\":{\"lte\":\"red\"}}}",
                "{\"bool\": {\"filter\": [{\"term\": {\"t\": \"{team}\"}}], \"must_not\": {\"exists\": {\"field\": \"x\"}}}} |"
                        + " {\"bool\":{\"filter\":[{\"term\":{\"t\":\"red\"}}],\"must_not\":{\"exists\":{\"field\":\"x\"}}}}",
                "{\"nested\": {\"path\": \"p\", \"query\": {\"term\": {\"p.t\": \"{team}\"}}}} |"
                        + " {\"nested\":{\"path\":\"p\",\"query\":{\"term\":{\"p.t\":\"red\"}}}}",
                "{\"constant_score\": {\"filter\": {\"term\": {\"t\": \"{team}\"}}}} |"
                        + " {\"constant_score\":{\"filter\":{\"term\":{\"t\":\"red\"}}}}",
                "{\"query_string\": {\"query\": \"a AND b\"}} | {\"query_string\":{\"query\":\"a AND b\"}}",
            })
    void claimsAreValues(String filter, String query) {
        assertEquals(
                query, TeamFilter.of(caller("filter", filter)).orElseThrow().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"wildcard\": {\"term\": \"{claim:one}\"}}",
                "{\"match\": {\"terms\": \"{claim:one}\"}}",
                "{\"query_string\": {\"query\": \"g:{claim:one}\"}}",
                "{\"bool\": {\"filter\": {\"prefix\": {\"range\": \"{claim:one}\"}}}}",
                "{\"term\": {\"{claim:one}\": \"x\"}}",
                "{\"nested\": {\"path\": \"{claim:one}\", \"query\": {\"term\": {\"t\": \"x\"}}}}",
                "{\"bool\": {\"minimum_should_match\": \"{claim:one}\", \"should\": [{\"term\": {\"t\": \"x\"}}]}}",
                "{\"term\": {\"t\": \"{claim:missing}\"}}",
                "{\"term\": {\"t\": \"{claim:groups}\"}}",
                "{\"bool\": {}}",
                "{\"bool\": {\"filter\": []}}",
                "{\"nested\": {\"path\": \"p\"}}",
                "{}",
                "{\"term\": {\"t\": \"x\"}, \"match_all\": {}}",
                "[{\"term\": {\"t\": \"x\"}}]",
                "{\"term\": {\"t\": \"x\"}",
                "t = x",
                ""
            })
    void whatCantBeEnforcedIsDenied(String filter) {
        ToolException denied = assertThrows(ToolException.class, () -> TeamFilter.of(caller("filter", filter)));
        assertEquals(FailureKind.DENIED, denied.failed().kind());
        assertFalse(denied.failed().message().contains("OR x"), denied::toString);
    }

    @Test
    void anyOtherBindingClosesTheBackend() {
        ToolException denied = assertThrows(ToolException.class, () -> TeamFilter.of(caller("tenant", "x")));
        assertEquals(FailureKind.DENIED, denied.failed().kind());
    }
}
