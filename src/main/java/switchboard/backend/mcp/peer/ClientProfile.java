package switchboard.backend.mcp.peer;

/**
 * The client of a connection, as the server sees it.
 *
 * @param info the gateway's name and version
 * @param declared what a session declares
 * @param ofOnePrincipal whether all calls of the session are of one principal. Then what the server asks on the stream that
 *     belongs to no request is for the only call under way.
 */
public record ClientProfile(ClientInfo info, DeclaredCapabilities declared, boolean ofOnePrincipal) {
    /** A profile for callers of all kinds. */
    public static ClientProfile shared(ClientInfo info, DeclaredCapabilities declared) {
        return new ClientProfile(info, declared, false);
    }
}
