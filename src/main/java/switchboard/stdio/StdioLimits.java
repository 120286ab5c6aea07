package switchboard.stdio;

/**
 * Bounds of a connection. All are positive.
 *
 * @param maxLineBytes the longest message
 * @param maxPendingBytes what may wait for a slow reader; beyond it the connection ends
 * @param maxUnderWay messages that are not answered yet; further input waits
 */
public record StdioLimits(int maxLineBytes, int maxPendingBytes, int maxUnderWay) {
    /** The limits with the shipped configuration. */
    public static final StdioLimits DEFAULT = new StdioLimits(4 << 20, 16 << 20, 1024);

    /** The same with another longest message. */
    public StdioLimits withMaxLineBytes(int bytes) {
        return new StdioLimits(bytes, maxPendingBytes, maxUnderWay);
    }
}
