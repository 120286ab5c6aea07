package switchboard.cluster;

import org.jspecify.annotations.Nullable;
import switchboard.session.SessionOwner;

/**
 * A session as the database has it.
 *
 * @param key the SHA-256 of its id
 * @param owner who made it
 * @param state JSON
 * @param revision grows with each change
 * @param times its age and how long it was not used
 * @param streamNode the node where its stream is open, or null; a node that is gone has none
 * @param connection the only connection it can be used by, or null
 */
public record SessionRow(
        String key,
        SessionOwner owner,
        String state,
        long revision,
        Times times,
        @Nullable String streamNode,
        @Nullable OpenConnection connection) {
    /** How old a session is, and how long it was not used, in milliseconds, by the database's clock. */
    public record Times(long ageMs, long idleMs) {}

    /**
     * A connection of HTTP+SSE.
     *
     * @param node the node that has it
     * @param alive whether that node runs
     * @param rights a digest of what the caller's token allows
     */
    public record OpenConnection(String node, boolean alive, String rights) {}

    /** Does not contain the state. */
    @Override
    public String toString() {
        return "SessionRow[owner=" + owner + ", revision=" + revision + "]";
    }
}
