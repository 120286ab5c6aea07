package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Sends notifications on the stream of one request; drops them if the caller reads no stream. */
@FunctionalInterface
public interface Notifier {
    /** Sends one, on the exchange's event loop. */
    void send(String method, ObjectNode params, ReplySink.Urgency urgency);

    /** Whether the reader has taken what was sent, so that a large message does not have to wait for it in memory. */
    default boolean caughtUp() {
        return true;
    }

    /** To {@code sink}, if {@code accept} allows a stream. */
    static Notifier to(ReplySink sink, AcceptedTypes acceptedTypes) {
        return new Notifier() {
            @Override
            public void send(String method, ObjectNode params, ReplySink.Urgency urgency) {
                if (acceptedTypes.stream() && !sink.closed()) {
                    sink.event(RpcCodec.notification(method, params), urgency);
                }
            }

            @Override
            public boolean caughtUp() {
                return sink.caughtUp();
            }
        };
    }
}
