package switchboard.protocol;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the protocol.
 *
 * @param serverName the gateway's name
 * @param serverTitle the same for people
 * @param serverVersion its version
 * @param instructions text for agents before they use the tools, or null
 * @param maxBatch maximum number of elements of a batch, at least 1
 * @param batchConcurrency maximum number of them under way at once, at least 1
 * @param pageSize maximum number of entries on one page of a list, at least 1
 * @param listTtl how long clients may cache a list
 * @param maxStreams maximum number of open streams of change notifications
 * @param requestTimeout time limit for reading a resource, a prompt or a list; tools have their own
 * @param stateKeys sign (HMAC-SHA-256) the state that clients hold between the rounds of a call
 */
public record ProtocolSettings(
        String serverName,
        String serverTitle,
        String serverVersion,
        @Nullable String instructions,
        int maxBatch,
        int batchConcurrency,
        int pageSize,
        Duration listTtl,
        int maxStreams,
        Duration requestTimeout,
        RequestStateKeys stateKeys) {
    /** The settings of the shipped configuration for that version of the gateway. */
    public static ProtocolSettings defaults(String serverVersion) {
        return new ProtocolSettings(
                "switchboard",
                "Switchboard",
                serverVersion,
                null,
                50,
                8,
                250,
                Duration.ofMinutes(1),
                1024,
                Duration.ofSeconds(60),
                RequestStateKeys.random());
    }
}
