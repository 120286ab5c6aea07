package switchboard.protocol.legacy;

import java.util.List;
import java.util.Optional;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.RpcMessage;

/** The rules for batches of messages. */
final class BatchRules {
    private BatchRules() {}

    /** Whether {@code first}, the first message that came in, is the handshake. */
    static boolean opens(RpcMessage first) {
        return first instanceof RpcMessage.Request request && request.method().equals("initialize");
    }

    /** Whether {@code message} needs an answer. */
    static boolean wantsAnswer(RpcMessage message) {
        return message instanceof RpcMessage.Request || message instanceof RpcMessage.Malformed;
    }

    /** Refuses a batch that is too long, or has the handshake where it is not allowed. */
    static void check(List<RpcMessage> elements, int most) throws LegacyHttpException {
        if (elements.size() > most) {
            throw new LegacyHttpException(
                    400,
                    "The batch has " + elements.size() + " messages, more than the " + most + " allowed. Split it.");
        }
        if (elements.stream().skip(1).anyMatch(BatchRules::opens)) {
            throw new LegacyHttpException(400, "\"initialize\" may only be the first message of a batch.");
        }
        Optional<ProtocolVersion> asked = asked(elements);
        if (asked.isPresent()) {
            ProtocolVersion version = asked.get();
            if (version.atLeast(ProtocolVersion.V2025_06_18)) {
                throw noBatches();
            }
            if (version.atLeast(ProtocolVersion.V2025_03_26) && elements.size() > 1) {
                throw new LegacyHttpException(
                        400,
                        "In protocol version 2025-03-26 \"initialize\" may not be part of a batch with others. Send it alone.");
            }
        }
    }

    /** The protocol version of the handshake that begins the batch. */
    private static Optional<ProtocolVersion> asked(List<RpcMessage> elements) {
        return elements.getFirst() instanceof RpcMessage.Request request && opens(request)
                ? Optional.of(ProtocolVersion.negotiated(request.params()))
                : Optional.empty();
    }

    /** Refuses any batch. */
    static LegacyHttpException noBatches() {
        return new LegacyHttpException(
                400, "Batches exist up to protocol version 2025-03-26 only. Send one message at a time.");
    }
}
