package switchboard.protocol;

import java.util.List;
import java.util.Optional;

/** The decoded content of one request body or line: a message or a batch. Immutable. */
public sealed interface IncomingMessages {
    /** The message, or the first of the batch. */
    RpcMessage first();

    /** A message by itself. An array without elements is one, too: it is malformed. */
    record Single(RpcMessage message) implements IncomingMessages {
        @Override
        public RpcMessage first() {
            return message;
        }
    }

    /**
     * A batch.
     *
     * @param elements its messages, at least one
     * @param claimed the protocol version that an element declares, if one does
     */
    record Batch(List<RpcMessage> elements, Optional<ProtocolVersion> claimed) implements IncomingMessages {
        public Batch {
            elements = List.copyOf(elements);
        }

        @Override
        public RpcMessage first() {
            return elements.getFirst();
        }

        /** Whether an element is of the modern era, which has no batches. */
        boolean modern() {
            return claimed.filter(ProtocolVersion::modern).isPresent();
        }
    }
}
