package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.backend.postgres.ServerResources.ServerResource;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;

class ServerResourcesTest {
    @Test
    void otherSessionsAreShownToWhomAdminIsGrantedOnEverything() {
        ResourceScope some = ResourceScope.anyOf(List.of("hr.*"));
        assertEquals(3, shown(Map.of(Verb.READ, ResourceScope.ALL, Verb.ADMIN, ResourceScope.ALL)));
        assertEquals(1, shown(Map.of(Verb.READ, ResourceScope.ALL, Verb.ADMIN, some)));
        assertEquals(1, shown(Map.of(Verb.READ, ResourceScope.ALL)));
    }

    private static long shown(Map<Verb, ResourceScope> rights) {
        Caller caller = new Caller("t", "k", new Rights(rights), ResourceScope.ALL, Map.of());
        return Stream.of(ServerResource.values())
                .filter(known -> known.visible(caller))
                .count();
    }
}
