package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code weaviate-tenants-list}. */
class TenantsContractTest extends Suite {
    private static final String TENANTS = "weaviate-tenants-list";

    @Override
    void fixtures() {
        engine.articlesOfTenants();
        engine.collection("MtEmpty", "\"multiTenancyConfig\":{\"enabled\":true}");
        engine.collection("Plain", TestEngine.properties("title:text"));
    }

    @Test
    void tenantsComeSortedWithTheirStates() {
        JsonNode answer = ok(TENANTS, "{\"collection_name\":\"%MtArticle%\"}");
        assertEquals(List.of("tenant-a", "tenant-b", "tenant-cold"), each(answer.path("tenants"), "name"));
        assertEquals(List.of("HOT", "HOT", "COLD"), each(answer.path("tenants"), "activityStatus"));
        assertEquals(3, answer.path("total").asInt());
        assertFalse(answer.has("next"));
    }

    @Test
    void pagesHaveACursorAndATotal() {
        JsonNode first = ok(TENANTS, "{\"collection_name\":\"%MtArticle%\",\"limit\":2}");
        assertEquals(List.of("tenant-a", "tenant-b"), each(first.path("tenants"), "name"));
        assertEquals(3, first.path("total").asInt());
        assertEquals("tenant-b", first.path("next").asText());
        JsonNode second = ok(TENANTS, "{\"collection_name\":\"%MtArticle%\",\"limit\":2,\"after\":\"tenant-b\"}");
        assertEquals(List.of("tenant-cold"), each(second.path("tenants"), "name"));
        assertFalse(second.has("next"));
    }

    @Test
    void noTenantsIsAnEmptyList() {
        assertEquals(
                0,
                ok(TENANTS, "{\"collection_name\":\"%MtEmpty%\"}")
                        .path("tenants")
                        .size());
    }

    @Test
    void collectionWithoutTenantsSaysSo() {
        fails("INVALID_ARGUMENT", TENANTS, "{\"collection_name\":\"%Plain%\"}", "multi-tenancy is not enabled");
    }

    @Test
    void unknownCollectionIsNotFound() {
        fails("NOT_FOUND", TENANTS, "{\"collection_name\":\"%Nope%\"}", "collection \"%Nope%\" not found");
        fails("INVALID_ARGUMENT", TENANTS, "{}", "collection_name");
    }

    @Test
    void boundTeamSeesItsOwnTenantOnly() {
        asTeam(List.of("*"), Map.of("tenant", "tenant-b"));
        JsonNode own = ok(TENANTS, "{\"collection_name\":\"%MtArticle%\"}");
        assertEquals(List.of("tenant-b"), each(own.path("tenants"), "name"));
        assertEquals(1, own.path("total").asInt());
        asTeam(List.of("*"), Map.of("tenant", "not-there"));
        assertEquals(
                0,
                ok(TENANTS, "{\"collection_name\":\"%MtArticle%\"}")
                        .path("total")
                        .asInt());
    }
}
