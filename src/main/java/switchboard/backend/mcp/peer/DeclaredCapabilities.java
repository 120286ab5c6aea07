package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.CallingClient;
import switchboard.call.Json;

/**
 * What a session with a server up to 2025-11-25 declares: the capabilities of the client behind it that the gateway relays.
 *
 * @param form elicitation with a form
 * @param url elicitation with a page
 * @param sampling whether the client's model can be asked
 * @param samplingTools the same with tools
 * @param samplingContext the same with the context of servers
 * @param roots whether the client lists its roots
 * @param apps whether it shows the pages of MCP Apps
 */
public record DeclaredCapabilities(
        boolean form,
        boolean url,
        boolean sampling,
        boolean samplingTools,
        boolean samplingContext,
        boolean roots,
        boolean apps) {
    /** Nothing. */
    public static final DeclaredCapabilities NOTHING =
            new DeclaredCapabilities(false, false, false, false, false, false, false);

    /** What is declared where lists are read, so that servers list what some client can use. */
    public static final DeclaredCapabilities LISTING =
            new DeclaredCapabilities(true, false, true, false, false, true, true);

    /** The same where nobody can be asked. */
    public static final DeclaredCapabilities LISTING_UNASKED =
            new DeclaredCapabilities(false, false, false, false, false, false, true);

    private static final String APPS = "io.modelcontextprotocol/ui";
    private static final String PAGE = "text/html;profile=mcp-app";

    /** What {@code client} can answer and show. */
    public static DeclaredCapabilities of(CallingClient client) {
        ObjectNode declared = client.capabilities();
        boolean apps = false;
        for (JsonNode type : declared.path("extensions").path(APPS).path("mimeTypes")) {
            apps |= type.asText().equals(PAGE);
        }
        if (client.asking() == CallingClient.AskMode.NEVER) {
            return new DeclaredCapabilities(false, false, false, false, false, false, apps);
        }
        JsonNode elicitation = declared.path("elicitation");
        JsonNode sampling = declared.path("sampling");
        boolean url = elicitation.has("url");
        return new DeclaredCapabilities(
                elicitation.isObject() && (elicitation.has("form") || !url),
                url,
                sampling.isObject(),
                sampling.has("tools"),
                sampling.has("context"),
                declared.path("roots").isObject(),
                apps);
    }

    /** Whether a server may ask anything. */
    public boolean asks() {
        return form || url || sampling || roots;
    }

    /** Whether a server may ask {@code method} with {@code params}. */
    boolean allows(String method, JsonNode params) {
        return switch (method) {
            case "elicitation/create" -> params.path("mode").asText().equals("url") ? url : form;
            case "sampling/createMessage" -> sampling && (samplingTools || !params.has("tools"));
            case "roots/list" -> roots;
            default -> false;
        };
    }

    /** As {@code ClientCapabilities}. */
    ObjectNode json() {
        ObjectNode capabilities = Json.object();
        if (sampling) {
            ObjectNode details = capabilities.putObject("sampling");
            if (samplingTools) {
                details.putObject("tools");
            }
            if (samplingContext) {
                details.putObject("context");
            }
        }
        if (roots) {
            capabilities.putObject("roots");
        }
        if (form || url) {
            ObjectNode details = capabilities.putObject("elicitation");
            if (form) {
                details.putObject("form");
            }
            if (url) {
                details.putObject("url");
            }
        }
        if (apps) {
            capabilities
                    .putObject("extensions")
                    .putObject(APPS)
                    .putArray("mimeTypes")
                    .add(PAGE);
        }
        return capabilities;
    }
}
