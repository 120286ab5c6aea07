package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.call.Json;
import switchboard.config.ConfigLoader;
import switchboard.config.ConfigReference;
import switchboard.config.DrainConfig;
import switchboard.config.GatewayConfig;
import switchboard.config.Overrides;
import switchboard.testing.GatewayProcess;
import switchboard.testing.HelmChart;
import switchboard.testing.Manifests;
import switchboard.testing.Yaml;

/** What {@code k8s/} has a pod run is what the gateway understands and serves. */
@Tag("engines")
class DeployedConfigurationTest {
    private static final String SECRETS = "/run/secrets/switchboard/";
    private static final Map<String, String> KEYS = Map.of(
            "database", "postgres://gateway:secret@db1:5432,db2:5432/gateway",
            "state-key", "a key that is long enough for this",
            "WEAVIATE_API_KEY", "w",
            "MEILI_API_KEY", "m");

    private static final String NUMBERS = "{config: {backends: {w: {type: weaviate, apiKey: 12345}}}}";

    private static final String NAMES =
            "{config: {backends: {headers: {type: vectordb}, secrets: {type: agentroot}, token: {type: vectordb}}}}";

    @TempDir
    Path folder;

    static List<String> rendered() {
        return Manifests.ALL;
    }

    @ParameterizedTest
    @MethodSource("rendered")
    void itsConfigurationLoadsAndAgreesWithThePod(String name) throws IOException {
        Manifests manifests = Manifests.of(name);
        GatewayConfig config = load(manifests.configuration());
        JsonNode ports = manifests.pod().at("/containers/0/ports");
        assertEquals("0.0.0.0", config.server().host());
        assertEquals("0.0.0.0", config.management().host());
        assertEquals(ports.at("/0/containerPort").asInt(), config.server().port());
        assertEquals(ports.at("/1/containerPort").asInt(), config.management().port());
        DrainConfig drain = config.server().drain();
        assertTrue(
                manifests.pod().path("terminationGracePeriodSeconds").asLong()
                        >= drain.delay().plus(drain.grace()).toSeconds() + 20,
                drain::toString);
        // The readiness probe, and what follows it, has to notice before calls are refused.
        assertTrue(drain.delay().toSeconds()
                >= manifests
                        .pod()
                        .at("/containers/0/readinessProbe/periodSeconds")
                        .asInt());
        if (name.endsWith("replicas")) {
            assertFalse(config.server().trustedProxies().isEmpty(), "or all callers have the ingress' address");
            assertNotNull(config.cluster());
            assertNotNull(config.server().stateKey());
            assertEquals(0, config.tasks().max());
            assertTrue(manifests.configuration().contains("to: stdout"));
        }
    }

    @ParameterizedTest
    @MethodSource("rendered")
    void everyKeyIsInTheShippedConfiguration(String name) throws IOException {
        String shipped = Files.readString(Path.of("conf", "switchboard.yaml"));
        Set<String> missing = new TreeSet<>();
        Manifests.of(name).configuration().lines().forEach(line -> Pattern.compile("([A-Za-z]+):(?: |$)")
                .matcher(line.replaceAll("#.*|\"[^\"]*\"", ""))
                .results()
                .map(key -> key.group(1))
                .filter(key ->
                        !Pattern.compile("\\b" + key + ":").matcher(shipped).find())
                .forEach(missing::add));
        assertEquals(Set.of(), missing);
    }

    /** What is in the chart's {@code config} becomes a ConfigMap, which many may read. */
    @Test
    void theChartRefusesSecretsThatAreWrittenDown() {
        List<String> secrets = new ArrayList<>();
        ObjectNode written = config("secret", "postgres://user:hunter2@db/name", secrets);
        assertTrue(secrets.size() > 25, secrets::toString);
        List<String> texts = new ArrayList<>();
        ObjectNode plain = config("text", "plain", texts);
        texts.addAll(config(plain, "URL", "http://engine:8080"));
        assertTrue(texts.size() > 50, texts::toString);
        ObjectNode referred = config("secret", "${file:" + SECRETS + "key}", new ArrayList<>());
        List<HelmChart.Rendered> rendered = HelmChart.render(
                "switchboard", List.of(written.toString(), plain.toString(), referred.toString(), NUMBERS, NAMES));
        String complaint = rendered.getFirst().complaint();
        secrets.forEach(
                path -> assertTrue(complaint.contains("config." + path + " is a secret"), () -> path + complaint));
        assertEquals(secrets.size(), complaint.split(" is a secret").length - 1, complaint);
        assertFalse(complaint.contains("hunter2"), "the message is not another place for it");
        for (HelmChart.Rendered accepted : rendered.subList(1, 3)) {
            assertFalse(accepted.complaint().contains("is a secret"), accepted::complaint);
        }
        assertEquals("", rendered.get(4).complaint(), "names that operators choose");
        assertTrue(rendered.get(3).complaint().contains("config.backends.w.apiKey is a secret"));
    }

    /** Values with all keys of a type, of the gateway and of each backend. */
    private static ObjectNode config(String type, String value, List<String> paths) {
        ObjectNode values = Json.object();
        paths.addAll(config(values, type, value));
        return values;
    }

    private static List<String> config(ObjectNode values, String type, String value) {
        List<String> paths = new ArrayList<>();
        BackendTypes.shipped().settings().forEach((name, settings) -> {
            String backend = "backends." + name;
            put(values, backend + ".type", name);
            ConfigReference.backend(settings).stream()
                    .filter(key -> key.type().endsWith(type) && !key.path().contains("[]"))
                    .forEach(key -> paths.add(backend + "." + named(key)));
        });
        ConfigReference.gateway().stream()
                .filter(key -> key.type().endsWith(type) && !key.path().contains("[]"))
                .forEach(key -> paths.add(named(key)));
        paths.removeIf(path -> path.endsWith(".type"));
        paths.forEach(path -> put(values, path, value));
        return paths;
    }

    private static String named(ConfigReference.ConfigKey key) {
        return key.path().replace("<name>", "one") + (key.type().startsWith("by name") ? ".one" : "");
    }

    private static void put(ObjectNode values, String path, String value) {
        int end = path.lastIndexOf('.');
        String parent = end < 0 ? "" : "." + path.substring(0, end);
        values.withObject(("/config" + parent).replace('.', '/')).put(path.substring(end + 1), value);
    }

    /** The ports that the configuration needs are those that a policy lets through. */
    @ParameterizedTest
    @MethodSource("rendered")
    void thePoliciesLetThroughWhatItCalls(String name) {
        Manifests manifests = Manifests.of(name);
        Set<Integer> open = new TreeSet<>();
        manifests.all("NetworkPolicy").forEach(policy -> policy.at("/spec/egress")
                .forEach(rule -> rule.path("ports")
                        .forEach(port -> open.add(port.path("port").asInt()))));
        List<Integer> needed = new ArrayList<>();
        JsonNode config = Yaml.tree(manifests.configuration());
        config.findValuesAsText("url").forEach(url -> needed.add(URI.create(url).getPort()));
        assertEquals(name.endsWith("replicas") ? 2 : 0, needed.size());
        if (config.has("cluster")) {
            needed.add(5432);
            needed.add(4318);
        }
        assertTrue(open.containsAll(needed), () -> needed + " of " + open);
        assertEquals(config.has("cluster"), open.contains(5432), "nothing more than is called");
    }

    /** A process with the arguments of the container serves the paths of its probes. */
    @Test
    void theProbesAskForWhatIsServed() throws Exception {
        JsonNode container = Manifests.of("single").pod().at("/containers/0");
        assertEquals(
                "[\"serve\",\"--config\",\"/etc/switchboard/switchboard.yaml\",\"--data\",\"/data\"]",
                container.path("args").toString(),
                "as GatewayProcess starts it");
        Files.writeString(folder.resolve("teams.yaml"), "teams: {}\n");
        Path config = Files.writeString(
                folder.resolve("switchboard.yaml"),
                Manifests.of("single")
                        .configuration()
                        .replace("0.0.0.0", "127.0.0.1")
                        .replace("onnx", "none"));
        try (GatewayProcess gateway =
                        GatewayProcess.start(new GatewayProcess.Launch(config, folder.resolve("data"), "512m", 0));
                HttpClient http = HttpClient.newHttpClient()) {
            List<String> paths = new ArrayList<>(List.of(Manifests.of("single")
                    .one("ServiceMonitor")
                    .at("/spec/endpoints/0/path")
                    .asText()));
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                JsonNode asked = container.path(probe).path("httpGet");
                assertEquals("management", asked.path("port").asText());
                paths.add(asked.path("path").asText());
            }
            for (String path : paths) {
                HttpRequest request = HttpRequest.newBuilder(
                                gateway.managementUrl().resolve(path))
                        .timeout(Duration.ofSeconds(30))
                        .build();
                assertEquals(
                        200,
                        http.send(request, HttpResponse.BodyHandlers.discarding())
                                .statusCode(),
                        path);
            }
        }
    }

    private GatewayConfig load(String yaml) throws IOException {
        for (Map.Entry<String, String> key : KEYS.entrySet()) {
            Files.writeString(folder.resolve(key.getKey()), key.getValue());
        }
        return new ConfigLoader(BackendTypes.shipped().settings(), Map.of())
                .parse(yaml.replace(SECRETS, folder + "/"), "switchboard.yaml", folder, Overrides.NONE);
    }
}
