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
record SharedCall(String team, String backend, byte[] json) implements WatchedCall {
    @Override
    public byte[] json(String own) {
        return json;
    }

    static SharedCall of(String gateway, ObjectNode call) {
        return new SharedCall(
                call.path("team").asText(), call.path("backend").asText(), Json.bytes(call.put("gateway", gateway)));
    }
}
