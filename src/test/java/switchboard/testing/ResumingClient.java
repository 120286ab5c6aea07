package switchboard.testing;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A client of 2025-11-25 with a session on the view {@code fixture} of replicas, which comes back for answers. */
public final class ResumingClient {
    private static final Pattern ID = Pattern.compile("id: (\\S+)\r?\n");
    private static final String BOTH = "application/json, text/event-stream";

    private final Replicas replicas;
    private final Map<String, String> who;
    private final McpTestClient session;

    /** A client with a session that is made on the replica {@code index}. */
    public ResumingClient(Replicas replicas, int index, Map<String, String> who) {
        this.replicas = replicas;
        this.who = who;
        replicas.proxy().to(index);
        this.session = replicas.able("fixture", who);
        replicas.proxy().inTurn();
    }

    /** Its session. */
    public McpTestClient session() {
        return session;
    }

    /** Calls a tool of the fixture on the gateway at {@code url}, with {@code id} as request id, which is JSON. */
    public RawHttp call(URI url, String id, String tool) {
        return new RawHttp(url.getPort())
                .post(
                        "/mcp/fixture",
                        Replicas.lines(who, session, BOTH),
                        "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\""
                                + tool + "\",\"arguments\":{},\"_meta\":{\"progressToken\":\"t\"}}}");
    }

    /** The same on the replica {@code index}. */
    public RawHttp call(int index, String id, String tool) {
        return call(replicas.gateway(index).url(), id, tool);
    }

    /** Comes back after the event {@code last} on the replica {@code index}. */
    public RawHttp resume(int index, String last) {
        return new RawHttp(replicas.gateway(index).url().getPort())
                .get(
                        "/mcp/fixture",
                        Replicas.lines(who, session, "text/event-stream")
                                + "Connection: close\nMCP-Protocol-Version: 2025-11-25\nLast-Event-ID: " + last
                                + "\n");
    }

    /** The ids of the events in {@code stream}. */
    public static List<String> ids(String stream) {
        return ID.matcher(stream).results().map(match -> match.group(1)).toList();
    }
}
