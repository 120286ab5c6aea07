package switchboard.protocol;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What can be set about the protocol.
 *
 * @param serverName how the gateway calls itself
 * @param serverTitle the same for people
 * @param serverVersion its version
 * @param instructions what an agent should know before it uses the tools, or null
 * @param maxBatch most elements of a batch, at least 1
 * @param batchConcurrency most elements of a batch under way at once, at least 1
 * @param pageSize most entries on one page of a list, at least 1
 * @param listTtl how long clients may keep a list
 * @param maxStreams most open streams of change notifications
 * @param requestTimeout how long reading a resource, a prompt or a list may take; tools have their own
 * @param stateKeys sign (HMAC-SHA-256) what clients keep for the gateway between the rounds of a call
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
