package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.Json;

/**
 * A call that another gateway has sent.
 *
 * @param team whose it is
 * @param backend the backend that was called
 * @param json what is shown of it
 */
record ReceivedCall(String team, String backend, byte[] json) implements WatchedCall {
    @Override
    public byte[] json(String own) {
        return json;
    }

    static ReceivedCall of(String gateway, ObjectNode call) {
        return new ReceivedCall(
                call.path("team").asText(), call.path("backend").asText(), Json.bytes(call.put("gateway", gateway)));
    }
}
