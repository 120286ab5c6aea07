package switchboard.protocol;

/**
 * The one way in: takes a message from a transport, decodes it once, finds out which era of the protocol it speaks, and
 * sees to its answer. Thread-safe; each call does its work on the calling event loop, which must be the sink's.
 */
public final class McpEndpoint {
    private final ProtocolServices services;
    private final LegacyEra legacy;

    /** An endpoint for both eras. */
    public McpEndpoint(ProtocolServices services, LegacyEra legacy) {
        this.services = services;
        this.legacy = legacy;
    }

    /**
     * Answers a message or a batch. The transport has checked host, origin, credential, method, media type and size
     * before; every other refusal is made here.
     */
    public void post(Inbound inbound, ReplySink sink) {
        legacy.single(inbound, new RpcMessage.Malformed(null, "not built yet"), sink);
    }

    /** Opens the standing stream of a legacy session. */
    public void get(Inbound inbound, ReplySink sink) {
        legacy.get(inbound, sink);
    }

    /** Ends a legacy session. */
    public void delete(Inbound inbound, ReplySink sink) {
        legacy.delete(inbound, sink);
    }

    /** Ends the open streams of change notifications; requests under way go on. */
    public void shutdown() {
        services.changes().shutdown();
    }

    /** How many streams of change notifications are open. */
    public int openStreams() {
        return services.changes().openStreams();
    }

    /** How many legacy sessions are alive. */
    public int liveSessions() {
        return legacy.sessions();
    }
}
