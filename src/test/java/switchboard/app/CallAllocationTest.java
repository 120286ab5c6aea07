package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.VirtualMachine;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.SwitchboardProcess;

/**
 * How many bytes a gateway with keys, limits, audit log and request log allocates for a call, in all threads. The JVM's first
 * compiler, which is the only one here, allocates what the program says, so that the figures do not depend on how long it has run;
 * the second compiler saves about a third. Bounds are a fifth above what was measured.
 */
class CallAllocationTest {
    private static final int CALLS = 200;
    private static final int ROUNDS = 3;

    @TempDir
    Path folder;

    @Test
    void aCallAllocatesNoMoreThanItNeeds() throws Exception {
        ApiKey key = ApiKey.generate(new SecureRandom());
        try (GatewayProcess gateway = start(key);
                JMXConnector jmx = connect(gateway);
                McpTestClient client = McpTestClient.legacy(
                        gateway.url(), McpTestClient.LEGACY, Map.of("Authorization", "Bearer " + key.text()))) {
            ThreadMXBean threads = threads(jmx.getMBeanServerConnection());
            String session = client.call("session_start", Json.object())
                    .structured()
                    .path("session_id")
                    .asText();
            for (String topic : List.of("storage", "search", "access", "limits")) {
                ObjectNode text = Json.object().put("title", topic).put("content", "The page about " + topic + ".");
                assertFalse(client.call("ingest_text", text).isError());
            }
            ObjectNode set =
                    Json.object().put("session_id", session).put("key", "topic").put("value", "hello");
            ObjectNode search =
                    Json.object().put("query", "what limits access to storage").put("top_k", 3);
            assertEquals(
                    3,
                    client.call("vectordb__search", search)
                            .structured()
                            .path("results")
                            .size());
            List<String> problems = new ArrayList<>();
            check(problems, threads, "tools/list", 30_000, () -> client.result("tools/list", Json.object()));
            check(problems, threads, "a call without I/O", 40_500, () -> client.call("session_set", set));
            check(problems, threads, "a hybrid search", 620_000, () -> client.call("vectordb__search", search));
            assertTrue(problems.isEmpty(), problems::toString);
        }
    }

    /** The round with the least counts, because threads that have nothing to do with calls also run at times. */
    private static void check(List<String> problems, ThreadMXBean threads, String what, long most, Runnable call) {
        IntStream.range(0, CALLS).forEach(_ -> call.run());
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getTotalThreadAllocatedBytes();
            IntStream.range(0, CALLS).forEach(_ -> call.run());
            least = Math.min(least, (threads.getTotalThreadAllocatedBytes() - before) / CALLS);
        }
        assertTrue(least > 1_000, "the JVM counts allocated bytes");
        if (least > most) {
            problems.add(what + " allocates " + least + " bytes, more than " + most);
        }
    }

    private GatewayProcess start(ApiKey key) throws Exception {
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), """
                auth: {mode: keys}
                audit: {to: file}
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot}
                """);
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  readers:
                    keys: [{id: reader, sha256: %s}]
                    grants: ["*:*"]
                    limits: {callsPerSecond: 100000, concurrentCalls: 100, callsPerDay: 1000000}
                """.formatted(key.sha256()));
        return GatewayProcess.start(
                new GatewayProcess.Launch(config, folder.resolve("data"), "512m", 0),
                Main.class,
                SwitchboardProcess.SHORT_LIVED);
    }

    private static JMXConnector connect(GatewayProcess gateway) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(gateway.pid()));
        try {
            return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
    }

    private static ThreadMXBean threads(MBeanServerConnection connection) throws Exception {
        return ManagementFactory.newPlatformMXBeanProxy(
                connection, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    }
}
