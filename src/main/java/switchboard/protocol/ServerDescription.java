package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.Json;

/** The gateway's description of itself. */
public final class ServerDescription {
    private final ProtocolSettings settings;

    /** The description that {@code settings} give. */
    public ServerDescription(ProtocolSettings settings) {
        this.settings = settings;
    }

    /** Its name and version. */
    public ObjectNode info(ProtocolVersion version) {
        ObjectNode info = Json.object().put("name", settings.server().name());
        if (version.atLeast(ProtocolVersion.V2025_06_18)) {
            info.put("title", settings.server().title());
        }
        return info.put("version", settings.server().version());
    }

    /** Its capabilities in that version. */
    public ObjectNode capabilities(ProtocolVersion version) {
        ObjectNode capabilities = Json.object();
        capabilities.putObject("tools").put("listChanged", true);
        capabilities.putObject("resources").put("subscribe", true).put("listChanged", true);
        capabilities.putObject("prompts").put("listChanged", true);
        capabilities.putObject("logging");
        if (version.atLeast(ProtocolVersion.V2025_03_26)) {
            capabilities.putObject("completions");
        }
        return capabilities;
    }
}
