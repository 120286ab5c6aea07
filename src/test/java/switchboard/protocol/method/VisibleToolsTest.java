package switchboard.protocol.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.catalog.View;
import switchboard.testing.BackendHarness;

/** Names that two backends share, to callers who may use both, one or none. */
class VisibleToolsTest {
    private final View view = ToolCatalog.of(
                    List.of("agentroot", "vectordb").stream()
                            .map(type -> new BackendTools(type, type, BackendHarness.descriptors(type)))
                            .toList(),
                    List.of())
            .view("")
            .orElseThrow();
    private final VisibleTools tools = new VisibleTools(new AccessPolicy());

    private VisibleTools.Match find(String... grants) {
        return tools.find(
                new Principal(
                        "team",
                        "key",
                        List.of(grants).stream().map(Grant::parse).toList()),
                view,
                "search");
    }

    @Test
    void whoMayUseBothHasToSayWhich() {
        assertEquals(
                List.of("agentroot__search", "vectordb__search"),
                assertInstanceOf(VisibleTools.Match.MultipleMatches.class, find("*:*"))
                        .names());
    }

    @Test
    void whoMayUseOneGetsThat() {
        assertEquals(
                "agentroot__search",
                assertInstanceOf(VisibleTools.Match.SingleMatch.class, find("agentroot:*"))
                        .tool()
                        .name());
    }

    @Test
    void toAnybodyElseThereIsNone() {
        assertInstanceOf(VisibleTools.Match.NoMatch.class, find("vectordb:read"));
    }
}
