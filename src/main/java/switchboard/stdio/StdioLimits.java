package switchboard.stdio;

/**
 * Limits of a connection. All are positive.
 *
 * @param maxLineBytes maximum size of a message
 * @param maxPendingBytes maximum number of bytes that wait for a slow reader; beyond it the connection ends
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
