package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.HaProxy;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.ToolResult;
import switchboard.testing.Yaml;

/** {@code docs/compose-cluster.yaml}, and the files beside it in a real HAProxy and three real gateways. */
@Tag("engines")
class ComposeClusterTest {
    /** The pause of a client after each call, in nanoseconds: gateways that start need the processor, too. */
    private static final long BETWEEN_CALLS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final Path COMPOSE = Path.of("docs", "compose-cluster.yaml");
    private static final Path PROXY = Path.of("docs", "compose-haproxy.cfg");
    private static final Path GATEWAY = Path.of("docs", "compose-cluster-switchboard.yaml");
    private static final int REPLICAS = 3;

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    Path folder;

    private final ApiKey key = ApiKey.generate(new SecureRandom());
    private int proxyPort;
    private final int[] ports = new int[REPLICAS];
    private final int[] management = new int[REPLICAS];
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();

    @Test
    void itsServicesNameWhatIsThere() throws IOException {
        JsonNode compose = Yaml.tree(Files.readString(COMPOSE));
        JsonNode services = compose.path("services");
        Set<String> volumes = new TreeSet<>();
        services.forEach(service -> service.path("volumes").forEach(volume -> {
            String source = volume.asText().replaceAll("\\$\\{[^}]*}", "").split(":")[0];
            if (source.startsWith("./")) {
                assertTrue(Files.exists(Path.of("docs").resolve(source)), source);
            } else if (!source.isEmpty()) {
                volumes.add(source);
            }
        }));
        Set<String> declared = new TreeSet<>();
        compose.path("volumes").fieldNames().forEachRemaining(declared::add);
        assertEquals(declared, volumes);
        String proxy = Files.readString(PROXY);
        for (int number = 1; number <= REPLICAS; number++) {
            String name = "gateway" + number;
            assertEquals(name, services.at("/" + name + "/hostname").asText());
            assertTrue(proxy.contains("server " + name + " " + name + ":8080\n"), name);
        }
        assertEquals(
                "[\"serve\",\"--config\",\"/etc/switchboard/switchboard.yaml\",\"--data\",\"/data\"]",
                services.at("/gateway1/command").toString());
        assertTrue(HaProxy.check(PROXY).contains("valid"));
    }

    /** While each gateway is stopped and started again, no call fails, in a session or without one. */
    @Test
    void anUpgradeOfOneAfterAnotherFailsNoCall() throws Exception {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  all:
                    keys: [{id: one, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(key.sha256()));
        Files.writeString(folder.resolve("state-key"), "a key that is long enough for this");
        Files.writeString(
                folder.resolve("database"),
                "postgres://postgres@127.0.0.1:" + postgres.port() + "/" + postgres.database());
        List<GatewayProcess> gateways = new ArrayList<>();
        proxyPort = Programs.freePort();
        for (int index = 0; index < REPLICAS; index++) {
            ports[index] = Programs.freePort();
            management[index] = Programs.freePort();
            gateways.add(gateway(index).ready()); // HAProxy takes it as ready before its first check
        }
        try (HaProxy proxy = proxy()) {
            AtomicBoolean ended = new AtomicBoolean();
            McpTestClient session = McpTestClient.legacy(proxy.url(), McpTestClient.LEGACY, headers());
            Thread modern = caller(client(proxy), ended);
            Thread legacy = caller(session, ended);
            for (int index = 0; index < REPLICAS; index++) {
                int before = answered.get();
                int said = proxy.log().length();
                gateways.get(index).terminate();
                assertEquals(0, gateways.get(index).exitCode());
                gateways.set(index, gateway(index));
                String up = "gateway" + (index + 1) + " is UP";
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> proxy.log().substring(said).contains(up),
                        proxy::log);
                assertEquals(0, healthCheck(management[index]), proxy::log);
                assertEquals(List.of(), List.copyOf(failures), proxy::log);
                assertTrue(answered.get() > before + 10, "calls went on");
            }
            ended.set(true);
            assertNotEquals(0, healthCheck(Programs.freePort()));
            modern.join(60_000);
            legacy.join(60_000);
            assertFalse(modern.isAlive() || legacy.isAlive());
            assertEquals(List.of(), List.copyOf(failures), proxy::log);
            assertFalse(session.call("postgres__query_database", "{\"query\": \"SELECT 7\"}")
                    .isError());
        } finally {
            gateways.forEach(GatewayProcess::close);
        }
    }

    /** How the health check of a service ends that asks {@code port}. */
    private static int healthCheck(int port) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        Yaml.tree(Files.readString(COMPOSE))
                .at("/services/gateway1/healthcheck/test")
                .forEach(word -> command.add(word.asText().replace("/9090", "/" + port)));
        assertEquals("CMD", command.removeFirst());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return process.exitValue();
    }

    private Thread caller(McpTestClient client, AtomicBoolean ended) {
        return Thread.ofPlatform().start(() -> {
            while (!ended.get() && failures.size() < 10) {
                try {
                    ToolResult result = client.call("postgres__query_database", "{\"query\": \"SELECT 7\"}");
                    if (result.isError()) {
                        failures.add(result.toString());
                    }
                    answered.incrementAndGet();
                } catch (RuntimeException | AssertionError e) {
                    failures.add(e.toString());
                }
                LockSupport.parkNanos(BETWEEN_CALLS);
            }
        });
    }

    private McpTestClient client(HaProxy proxy) {
        return McpTestClient.modern(proxy.url()).with("X-API-Key", key.text());
    }

    private Map<String, String> headers() {
        return Map.of("X-API-Key", key.text());
    }

    private GatewayProcess gateway(int index) throws IOException {
        String yaml = Files.readString(GATEWAY)
                .replace("0.0.0.0", "127.0.0.1")
                .replace("http://127.0.0.1:8080", "http://127.0.0.1:" + proxyPort)
                .replace("${env:STATE_KEY}", "${file:state-key}")
                .replace("${env:CLUSTER_DATABASE_URL}", "${file:database}")
                .replace("provider: onnx", "provider: none");
        Path config = Files.writeString(folder.resolve("switchboard" + index + ".yaml"), yaml);
        return GatewayProcess.start(new GatewayProcess.Launch(
                config, folder.resolve("data" + index), "256m", ports[index], management[index]));
    }

    /** HAProxy with the file as it is, but for names of machines and ports; what it would send again, fails. */
    private HaProxy proxy() throws IOException {
        String text = Files.readString(PROXY)
                .replace("bind :8080", "bind 127.0.0.1:" + proxyPort)
                .replace(" resolvers docker init-addr last,libc,none", "")
                .replace("retries 3", "retries 0")
                .replaceAll("(?m)^ *(retry-on|option redispatch).*\n", "");
        for (int index = 0; index < REPLICAS; index++) {
            String name = "gateway" + (index + 1);
            text = text.replace(
                    "server " + name + " " + name + ":8080",
                    "server " + name + " 127.0.0.1:" + ports[index] + " port " + management[index]);
        }
        text = text.replace("global\n", "global\n  log stdout format raw local0 notice\n")
                .replace("defaults\n", "defaults\n  log global\n");
        return HaProxy.start(
                Files.writeString(folder.resolve("haproxy.cfg"), text),
                URI.create("http://127.0.0.1:" + proxyPort + "/mcp"));
    }
}
