package switchboard.stdio;

/**
 * Limits of a connection. All are positive.
 *
 * @param maxLineBytes maximum size of a message
 * @param maxPendingBytes how many bytes may wait for a slow reader: beyond it no further message is taken, and the connection
 *     ends if as many bytes of notifications wait
 * @param maxUnderWay maximum number of unanswered messages; further input waits
 */
public record StdioLimits(int maxLineBytes, int maxPendingBytes, int maxUnderWay) {
    /** The default limits, as in the shipped configuration. */
    public static final StdioLimits DEFAULT = new StdioLimits(4 << 20, 16 << 20, 1024);

    /** The same with another maximum size of a message. */
    public StdioLimits withMaxLineBytes(int bytes) {
        return new StdioLimits(bytes, maxPendingBytes, maxUnderWay);
    }
}
