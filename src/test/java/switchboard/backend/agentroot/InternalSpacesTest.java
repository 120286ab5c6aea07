package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.BackendRequest.Maintain;
import switchboard.call.Caller;
import switchboard.call.ToolReply;
import switchboard.dispatch.CallOptions;

/** What agentroot keeps for itself, definitions and memories, has no vectors, and nobody is told to make them. */
class InternalSpacesTest {
    @TempDir
    private Path folder;

    private AgentrootSite site;

    @BeforeEach
    void start() throws IOException {
        site = new AgentrootSite(folder);
        Files.writeString(site.folder.resolve("tugs.md"), "# Tugs\n\nA tug pulls ships.\n");
        site.ok("collection_add", "{'name':'docs','path':'" + site.folder + "'}");
        site.ok("collection_update", "{'name':'docs'}");
        site.ok("memory_store", "{'content':'Ships float.','category':'fact'}");
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private JsonNode chore(Maintain.Chore chore) {
        ToolReply reply = (ToolReply) site.gateway()
                .app()
                .dispatcher()
                .send(
                        "agentroot",
                        new Maintain(chore),
                        Caller.unrestricted(),
                        CallOptions.withEvents(Duration.ofMinutes(1), _ -> {}, null))
                .reply()
                .await();
        return ((ToolReply.Ok) reply).structured();
    }

    @Test
    void theyNeedNoVectors() {
        JsonNode spaces = chore(new Maintain.Check()).path("namespaces");
        assertTrue(spaces.valueStream()
                .anyMatch(space -> space.path("name").asText().equals("#memory")));
        assertTrue(spaces.valueStream()
                .anyMatch(space -> space.path("name").asText().equals("#collections")));
        assertFalse(spaces.toString().contains("outdated"), spaces::toString);
        assertEquals(0, chore(new Maintain.Reindex()).path("documents").asInt());
    }

    @Test
    void listsOfSourcesDoNotHaveThem() {
        assertFalse(
                site.gateway().modern().call("list_sources", "{}").toString().contains("\"#"));
        assertFalse(site.ok("status", "{}").toString().contains("#memory"));
    }
}
