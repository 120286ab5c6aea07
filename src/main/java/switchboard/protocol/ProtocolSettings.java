package switchboard.protocol;

import java.time.Duration;

/**
 * Settings of the protocol.
 *
 * @param server how the gateway describes itself
 * @param batches limits of batches
 * @param pageSize maximum number of entries on one page of a list, at least 1
 * @param listTtl how long clients may cache a list
 * @param maxStreams maximum number of open streams of change notifications
 * @param requestTimeout time limit for reading a resource, a prompt or a list; tools have their own
 * @param stateKeys sign (HMAC-SHA-256) the state that clients hold between the rounds of a call
 */
public record ProtocolSettings(
        ServerTexts server,
        BatchLimits batches,
        int pageSize,
        Duration listTtl,
        int maxStreams,
        Duration requestTimeout,
        RequestStateKeys stateKeys) {
    /**
     * How the gateway describes itself to clients.
     *
     * @param name its name
     * @param title the same for people
     * @param version its version
     */
    public record ServerTexts(String name, String title, String version) {}

    /**
     * Limits of batches.
     *
     * @param size maximum number of elements of a batch, at least 1
     * @param concurrency maximum number of them under way at once, at least 1
     */
    public record BatchLimits(int size, int concurrency) {}

    /** The settings of the shipped configuration for that version of the gateway. */
    public static ProtocolSettings defaults(String serverVersion) {
        return new ProtocolSettings(
                new ServerTexts("switchboard", "Switchboard", serverVersion),
                new BatchLimits(50, 8),
                250,
                Duration.ofMinutes(1),
                1024,
                Duration.ofSeconds(60),
                RequestStateKeys.random());
    }
}
