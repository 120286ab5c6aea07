package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Sends notifications on the stream of one request; drops them if the caller reads no stream. */
@FunctionalInterface
public interface Notifier {
    /** Sends one, on the exchange's event loop. */
    void send(String method, ObjectNode params, ReplySink.Urgency urgency);

    /** To {@code sink}, if {@code accept} allows a stream. */
    static Notifier to(ReplySink sink, AcceptedTypes acceptedTypes) {
        return (method, params, urgency) -> {
            if (acceptedTypes.stream() && !sink.closed()) {
                sink.event(RpcCodec.notification(method, params), urgency);
            }
        };
    }
}
