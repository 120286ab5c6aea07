package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.ToolException;
import switchboard.store.Namespace;

/** Which namespace a caller's collection is, and which callers may have it. */
class CollectionRegistryTest {
    private final CollectionRegistry registry = new CollectionRegistry(_ -> {
        throw new AssertionError("a name that is not allowed needs no look into the store");
    });

    private static Caller caller(ResourceScope scope, Map<String, String> bindings) {
        return new Caller("red", "key1", Rights.ALL, scope, bindings);
    }

    @Test
    void aCollectionIsOfTheBoundOwnerAndOfNobodyElse() {
        assertEquals(new Namespace("", "docs"), registry.namespace("docs", caller(ResourceScope.ALL, Map.of())));
        assertEquals(
                new Namespace("alice", "docs"),
                registry.namespace("docs", caller(ResourceScope.ALL, Map.of("owner", "alice", "tenant", "bob"))));
    }

    @Test
    void aCollectionOutOfScopeIsDeniedBeforeTheStoreIsAsked() {
        Caller caller = caller(ResourceScope.anyOf(List.of("docs*")), Map.of());
        assertEquals(new Namespace("", "docs2"), registry.namespace("docs2", caller));
        for (String name : List.of("doc", "secret", "", "#collections", "DOCS")) {
            ToolException denied = assertThrows(ToolException.class, () -> registry.namespace(name, caller), name);
            assertEquals(FailureKind.DENIED, denied.failed().kind(), name);
            assertEquals(
                    "You may not use the collection \"" + name + "\". status shows those that you may.",
                    denied.failed().message());
            assertThrows(ToolException.class, () -> registry.find(name, caller), name);
            assertThrows(ToolException.class, () -> registry.require(name, caller), name);
            assertThrows(ToolException.class, () -> registry.reading(name, caller), name);
        }
    }

    @Test
    void sessionsAndMemoriesAreOfTheBoundOwnerOrElseOfTheTeam() {
        assertEquals("team:red", CollectionRegistry.person(caller(ResourceScope.ALL, Map.of())));
        assertEquals("owner:alice", CollectionRegistry.person(caller(ResourceScope.ALL, Map.of("owner", "alice"))));
    }

    @Test
    void namesThatBeginWithAHashAreTheBackendsOwn() {
        assertTrue(CollectionRegistry.internal("#collections"));
        assertTrue(CollectionRegistry.internal("#"));
        assertFalse(CollectionRegistry.internal("docs#1"));
        assertFalse(CollectionRegistry.internal(""));
    }
}
