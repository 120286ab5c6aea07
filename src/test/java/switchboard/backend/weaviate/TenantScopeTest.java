package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.ToolException;

class TenantScopeTest {
    private static TenantScope scope(String tenant, Map<String, Claim> claims) {
        return TenantScope.of(
                new Caller("red", "ann", Rights.ALL, ResourceScope.ALL, Map.of("tenant", tenant), claims));
    }

    @Test
    void aClaimIsTheTenantOfItsBearer() {
        Map<String, Claim> claims = Map.of("region", Claim.of("north"));
        assertEquals("north", scope("{claim:region}", claims).tenant(null));
        assertEquals("red-north", scope("{team}-{claim:region}", claims).tenant(null));
        assertThrows(ToolException.class, () -> scope("{claim:region}", claims).tenant("south"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "x\"){id}", "../x", "ä"})
    void whatIsNoTenantIsRefusedBeforeTheEngineIsAsked(String region) {
        assertDenied(Map.of("region", Claim.of(region)));
    }

    @Test
    void whoHasNoClaimOrAListIsRefused() {
        assertDenied(Map.of());
        assertDenied(Map.of("region", Claim.of(List.of("north", "south"))));
    }

    /** The operator's mistake is not the collection's. */
    @Test
    void aFilterIsNotAppliedWhereTheSchemaCannotBeRead() {
        TenantScope bound = TenantScope.of(new Caller(
                "red",
                "ann",
                Rights.ALL,
                ResourceScope.ALL,
                Map.of("where", "{\"operator\":\"Equal\",\"path\":[\"dept\"],\"valueText\":\"hr\"}")));
        ToolException denied =
                assertThrows(ToolException.class, () -> bound.requireBindings("Paper", Optional.empty()));
        assertEquals(FailureKind.DENIED, denied.failed().kind());
        assertTrue(denied.failed().message().contains("read_collections"), denied::toString);
        assertFalse(bound.mayRefer("Paper"));
        scope("north", Map.of()).requireBindings("Paper", Optional.empty());
    }

    private static void assertDenied(Map<String, Claim> claims) {
        ToolException denied = assertThrows(ToolException.class, () -> scope("{claim:region}", claims));
        assertEquals(FailureKind.DENIED, denied.failed().kind());
    }
}
