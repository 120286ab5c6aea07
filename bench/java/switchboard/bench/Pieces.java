package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.call.Verb;
import switchboard.catalog.ArgumentValidator;
import switchboard.catalog.SchemaArgumentValidator;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcResult;

/**
 * What the pieces of a request cost: processor time of the measuring thread for one, median of the rounds. Processor time
 * does not count what other programs take, so it means something on a busy machine, too. Arguments: rounds (7).
 */
final class Pieces {
    private static final int WARM_UP = 20_000;
    private static final int CALLS = 10_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Keeps the compiler from leaving out what is measured. */
    private static volatile Object last = "";

    static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 7;
        byte[] call = """
                {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"session_set","arguments":\
                {"session_id":"0b5c0f5e-5a1b-4c58-9d3e-0d9f6f0c2f11","key":"topic","value":"hello"}}}"""
                .getBytes(StandardCharsets.UTF_8);
        measure("decode a call", rounds, () -> parsed(call));

        JsonNode tool = tool("agentroot", "session_set");
        ArgumentValidator validator = new SchemaArgumentValidator((ObjectNode) tool.path("inputSchema"));
        ObjectNode given = (ObjectNode) parsed(call).at("/params/arguments");
        measure("validate its arguments", rounds, () -> validator.check(given));

        AccessPolicy policy = new AccessPolicy();
        Principal principal = new Principal("t", "k", List.of(Grant.parse("agentroot:*"), Grant.parse("vectordb:read:a*")));
        measure("decide about it", rounds, () -> policy.decide(principal, "agentroot", Set.of(Verb.READ), List.of()));

        ObjectNode result = Json.object();
        result.putArray("content").addObject().put("type", "text").put("text", "{\"key\":\"topic\",\"value\":\"hello\"}");
        measure("encode its answer", rounds, () -> RpcCodec.result(
                IntNode.valueOf(1), new RpcResult.Tree(result), fields -> fields));

        byte[] list = Files.readAllBytes(file("agentroot"));
        measure("encode a list of 29 tools", rounds, () -> RpcCodec.result(
                IntNode.valueOf(1), new RpcResult.Encoded("tools", list, Json.object()), fields -> fields));
    }

    private static void measure(String name, int rounds, Supplier<Object> piece) {
        repeat(WARM_UP, piece);
        Samples nanos = new Samples();
        for (int round = 0; round < rounds; round++) {
            long before = THREADS.getCurrentThreadCpuTime();
            repeat(CALLS, piece);
            nanos.add((double) (THREADS.getCurrentThreadCpuTime() - before) / CALLS);
        }
        System.out.printf(Locale.ROOT, "%-28s %8.0f ns  (spread %.0f %%)%n", name, nanos.median(), 100 * nanos.spread());
    }

    private static void repeat(int times, Supplier<Object> piece) {
        for (int i = 0; i < times; i++) {
            last = piece.get();
        }
    }

    private static JsonNode parsed(byte[] json) {
        try {
            return Json.parse(json);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode tool(String type, String name) throws Exception {
        for (JsonNode tool : Json.parse(Files.readAllBytes(file(type))).path("tools")) {
            if (tool.path("name").asText().equals(name)) {
                return tool;
            }
        }
        throw new IllegalArgumentException(name);
    }

    private static Path file(String type) {
        return Path.of(System.getProperty("switchboard.home"), "backends", type, "tools.json");
    }
}
