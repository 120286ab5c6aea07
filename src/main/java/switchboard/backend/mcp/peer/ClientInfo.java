package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.Json;

/** The gateway's name and version for servers. */
public record ClientInfo(String name, String version) {
    ObjectNode json() {
        return Json.object().put("name", name).put("version", version);
    }
}
