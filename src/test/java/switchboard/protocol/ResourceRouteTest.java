package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.catalog.View;

/** No server is asked for what belongs to another one. */
class ResourceRouteTest {
    private static final Map<String, Set<String>> SCHEMES =
            Map.of("notes", Set.of("notes"), "a", Set.of("notes", "x"), "b", Set.of("x"), "c", Set.of("x", "y"));
    private static final BackendCapabilities CAPABILITIES = new BackendCapabilities() {
        @Override
        public boolean resources(String backendId) {
            return true;
        }

        @Override
        public boolean owns(String backendId, String uri) {
            return SCHEMES.get(backendId).stream().anyMatch(scheme -> uri.startsWith(scheme + ":"));
        }

        @Override
        public boolean prompts(String backendId) {
            return false;
        }

        @Override
        public boolean relayed(String backendId) {
            return !backendId.equals("notes");
        }
    };
    private static final View VIEW = ToolCatalog.of(
                    List.of(
                            new BackendTools("notes", "agentroot", List.of()),
                            new BackendTools("a", "mcp", List.of(), Set.of("notes://a.md", "x://1")),
                            new BackendTools("b", "mcp", List.of(), Set.of("x://1", "x://2", "x://{id}")),
                            new BackendTools("c", "mcp", List.of(), Set.of("x://1", "y://1"))),
                    List.of())
            .view("")
            .orElseThrow();

    private static String route(String uri) {
        ResourceRoute route = ResourceRoute.of(VIEW, CAPABILITIES, uri);
        return VIEW.backends().stream().filter(route.backends()).sorted().toList() + " " + route.uri();
    }

    @Test
    void anotherServerIsNotAskedForUrisOfTheGatewaysOwnBackends() {
        assertEquals("[notes] notes://a.md", route("notes://a.md"));
        assertEquals("[notes] notes://other.md", route("notes://other.md"));
    }

    @Test
    void theServerThatListsAResourceIsAsked() {
        assertEquals("[a] x://1", route("x://1"));
        assertEquals("[b] x://1", route("x://b__1"));
        assertEquals("[c] x://1", route("x://c__1"));
        assertEquals("[b] x://2", route("x://2"));
        assertEquals("[c] y://1", route("y://1"));
    }

    @Test
    void whatNobodyListsCouldBeAnyServersWithThatScheme() {
        assertEquals("[a, b, c] x://7", route("x://7"));
        assertEquals("[b] x://7", route("x://b__7"));
        assertEquals("[c] y://c__7".replace("c__", ""), route("y://c__7"));
        assertEquals("[] z://7", route("z://7"));
        assertEquals("[c] y://b__7", route("y://b__7"), "b has no such scheme");
        assertEquals("[] ", route(""));
    }
}
