package switchboard.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import switchboard.call.Json;

/**
 * Calls of one gateway on their way to another, which follow each other without a gap up to the place {@code to}. Those between
 * {@code from} and the first of them are left out.
 *
 * @param gateway the name of the gateway
 * @param from the place after which they come
 * @param to the place of the last one
 * @param earlier whether they were over before the other gateway asked for them
 * @param leftOut how many of a team are left out; nobody knows of what teams the rest of them is
 */
record SentCalls(
        String gateway, long from, long to, boolean earlier, Map<String, Long> leftOut, List<ObjectNode> calls) {
    /** How many calls are sent at once at most. */
    static final int MOST = 200;

    /** How many bytes of them. */
    static final int MOST_BYTES = 256 * 1024;

    /** Of how many teams it is said that calls are left out. */
    private static final int MOST_TEAMS = 200;

    private static final List<String> TEXTS = List.of("request", "time", "team", "backend");

    SentCalls {
        leftOut = Map.copyOf(leftOut);
        calls = List.copyOf(calls);
    }

    /**
     * How many calls are left out.
     *
     * @param seen the place up to which the reader has them
     */
    long gap(long seen) {
        return Math.max(0, to - calls.size() - Math.max(from, seen));
    }

    /** The message for {@code calls}, the last {@link #MOST_BYTES} bytes of them, after the place {@code from}. */
    static String text(String gateway, long from, boolean earlier, NextCalls next) {
        Map<String, Long> leftOut = new HashMap<>(next.leftOut());
        Deque<String> fitting = new ArrayDeque<>();
        int room = MOST_BYTES;
        for (WatchedCall call : next.calls().reversed()) {
            byte[] json = call.json("");
            room -= json.length;
            if (room >= 0) {
                fitting.addFirst(new String(json, StandardCharsets.UTF_8));
            } else {
                leftOut.merge(call.team(), 1L, Long::sum);
            }
        }
        ObjectNode message = Json.object()
                .put("gateway", gateway)
                .put("from", from)
                .put("to", next.position().place())
                .put("earlier", earlier);
        ObjectNode teams = message.putObject("left_out");
        leftOut.entrySet().stream().limit(MOST_TEAMS).forEach(team -> teams.put(team.getKey(), team.getValue()));
        ArrayNode calls = message.putArray("calls");
        fitting.forEach(call -> calls.addRawValue(new RawValue(call)));
        return Json.text(message);
    }

    /**
     * Reads a message.
     *
     * @throws IllegalArgumentException if it is none
     */
    static SentCalls read(String text) {
        try {
            JsonNode message = Json.parse(text);
            JsonNode from = message.path("from");
            JsonNode to = message.path("to");
            JsonNode gateway = message.path("gateway");
            require(gateway.isTextual() && from.isIntegralNumber() && to.isIntegralNumber());
            SentCalls read = new SentCalls(
                    gateway.asText(),
                    from.asLong(),
                    to.asLong(),
                    message.path("earlier").asBoolean(),
                    teams(message.path("left_out")),
                    calls(message.path("calls")));
            require(read.from() >= 0 && read.calls().size() <= read.to() - read.from());
            return read;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON", e);
        }
    }

    private static Map<String, Long> teams(JsonNode leftOut) {
        Map<String, Long> teams = new HashMap<>();
        leftOut.properties().forEach(team -> {
            require(team.getValue().isIntegralNumber() && team.getValue().asLong() > 0);
            teams.put(team.getKey(), team.getValue().asLong());
        });
        return teams;
    }

    private static List<ObjectNode> calls(JsonNode array) {
        List<ObjectNode> calls = new ArrayList<>();
        for (JsonNode call : array) {
            require(call.isObject()
                    && TEXTS.stream().allMatch(field -> call.path(field).isTextual()));
            calls.add((ObjectNode) call);
        }
        return calls;
    }

    private static void require(boolean valid) {
        if (!valid) {
            throw new IllegalArgumentException("not calls of a gateway");
        }
    }
}
