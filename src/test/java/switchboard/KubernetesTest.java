package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.PythonTools;
import switchboard.testing.Yaml;

/**
 * The overlays of {@code k8s/} as kubectl renders them: against the schemas of Kubernetes, and that what names something
 * finds it.
 */
@Tag("engines")
class KubernetesTest {
    /** Of the Prometheus operator; Kubernetes has no schema of it. */
    private static final String MONITORING = "monitoring.coreos.com/v1";

    private static final Map<String, String> RENDERED = new HashMap<>();

    private static PythonTools tools;

    @TempDir
    Path folder;

    @BeforeAll
    static void render() {
        tools = PythonTools.kubernetes();
        for (String overlay : List.of("single", "replicas")) {
            RENDERED.put(
                    overlay,
                    tools.run(
                            "kubectl",
                            "kustomize",
                            Path.of("k8s", "overlays", overlay).toString()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"single", "replicas"})
    void everyManifestFitsTheSchemasOfKubernetes(String overlay) throws IOException {
        Path file = Files.writeString(folder.resolve("all.yaml"), rendered(overlay));
        String said = tools.run("kubernetes-validate", "--strict", "--kubernetes-version", "1.37", file.toString());
        List<String> expected = objects(overlay).stream()
                .map(object -> object.path("apiVersion").asText().equals(MONITORING)
                        ? "Couldn't find schema for kind " + object.path("kind").asText()
                        : "passed for resource " + object.path("kind").asText().toLowerCase(Locale.ROOT) + "/"
                                + object.path("metadata").path("name").asText() + " ")
                .toList();
        expected.forEach(line -> assertTrue(said.contains(line), () -> line + " in\n" + said));
        assertEquals(expected.size(), said.lines().count(), said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"single", "replicas"})
    void theProcessHasNoRightsThatItDoesNotNeed(String overlay) throws IOException {
        JsonNode pod = pod(overlay);
        assertTrue(pod.at("/securityContext/runAsNonRoot").asBoolean());
        assertEquals(
                "RuntimeDefault", pod.at("/securityContext/seccompProfile/type").asText());
        assertFalse(pod.path("automountServiceAccountToken").asBoolean(true));
        JsonNode container = pod.at("/containers/0");
        JsonNode rights = container.path("securityContext");
        assertTrue(rights.path("readOnlyRootFilesystem").asBoolean());
        assertFalse(rights.path("allowPrivilegeEscalation").asBoolean(true));
        assertEquals("ALL", rights.at("/capabilities/drop/0").asText());
        for (String wanted : List.of(
                "/resources/requests/cpu",
                "/resources/requests/memory",
                "/resources/limits/memory",
                "/startupProbe",
                "/livenessProbe",
                "/readinessProbe")) {
            assertFalse(container.at(wanted).isMissingNode(), wanted);
        }
        assertTrue(container.path("env").isMissingNode(), "secrets are referred to, not written down");
    }

    @ParameterizedTest
    @ValueSource(strings = {"single", "replicas"})
    void whatNamesSomethingFindsIt(String overlay) throws IOException {
        JsonNode deployment = one(overlay, "Deployment");
        JsonNode podLabels = deployment.at("/spec/template/metadata/labels");
        assertTrue(selects(deployment.at("/spec/selector/matchLabels"), podLabels));
        Set<String> ports = names(pod(overlay).at("/containers/0/ports"));
        for (JsonNode service : all(overlay, "Service")) {
            assertTrue(selects(service.at("/spec/selector"), podLabels), service::toString);
            service.at("/spec/ports").forEach(port -> assertTrue(ports.contains(text(port, "targetPort"))));
        }
        JsonNode monitor = one(overlay, "ServiceMonitor");
        List<JsonNode> scraped = all(overlay, "Service").stream()
                .filter(service -> selects(monitor.at("/spec/selector/matchLabels"), service.at("/metadata/labels")))
                .toList();
        assertEquals(1, scraped.size());
        assertTrue(names(scraped.getFirst().at("/spec/ports"))
                .contains(monitor.at("/spec/endpoints/0/port").asText()));
        assertTrue(selects(one(overlay, "NetworkPolicy").at("/spec/podSelector/matchLabels"), podLabels));
        assertEquals(Set.of("switchboard-teams"), missing(overlay));
    }

    @Test
    void oneProcessOwnsTheStore() throws IOException {
        String overlay = "single";
        JsonNode spec = one(overlay, "Deployment").path("spec");
        assertEquals(1, spec.path("replicas").asInt());
        assertEquals("Recreate", spec.at("/strategy/type").asText());
        assertEquals(
                "switchboard-data",
                one(overlay, "PersistentVolumeClaim").at("/metadata/name").asText());
    }

    @Test
    void severalProcessesKeepNothingAndStayTogether() throws IOException {
        String overlay = "replicas";
        JsonNode deployment = one(overlay, "Deployment");
        assertTrue(deployment.at("/spec/replicas").asInt() > 1);
        assertEquals(List.of(), all(overlay, "PersistentVolumeClaim"));
        JsonNode labels = deployment.at("/spec/template/metadata/labels");
        assertTrue(selects(one(overlay, "PodDisruptionBudget").at("/spec/selector/matchLabels"), labels));
        JsonNode scaler = one(overlay, "HorizontalPodAutoscaler");
        assertEquals("switchboard", scaler.at("/spec/scaleTargetRef/name").asText());
        assertEquals(
                "switchboard_calls_in_flight",
                scaler.at("/spec/metrics/0/pods/metric/name").asText());
        JsonNode ingress = one(overlay, "Ingress");
        assertTrue(ingress.at("/metadata/annotations").toString().contains("upstream-hash-by"));
        JsonNode backend = ingress.at("/spec/rules/0/http/paths/0/backend/service");
        JsonNode service = all(overlay, "Service").stream()
                .filter(found -> found.at("/metadata/name").equals(backend.path("name")))
                .findFirst()
                .orElseThrow();
        assertTrue(names(service.at("/spec/ports"))
                .contains(backend.at("/port/name").asText()));
    }

    /** What the volumes of the pod name and nothing in the overlay makes: the operator's own. */
    private Set<String> missing(String overlay) throws IOException {
        Set<String> made = objects(overlay).stream()
                .map(object -> object.at("/metadata/name").asText())
                .collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        for (JsonNode volume : pod(overlay).path("volumes")) {
            volume.at("/projected/sources").forEach(source -> Stream.of("configMap", "secret")
                    .map(kind -> source.path(kind).path("name").asText())
                    .filter(name -> !name.isEmpty())
                    .forEach(missing::add));
            String claim = volume.at("/persistentVolumeClaim/claimName").asText();
            if (!claim.isEmpty()) {
                missing.add(claim);
            }
        }
        missing.removeAll(made);
        return missing;
    }

    private JsonNode pod(String overlay) throws IOException {
        return one(overlay, "Deployment").at("/spec/template/spec");
    }

    private JsonNode one(String overlay, String kind) throws IOException {
        List<JsonNode> found = all(overlay, kind);
        assertEquals(1, found.size(), kind);
        return found.getFirst();
    }

    private List<JsonNode> all(String overlay, String kind) throws IOException {
        return objects(overlay).stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .toList();
    }

    private List<JsonNode> objects(String overlay) throws IOException {
        return Yaml.trees(rendered(overlay));
    }

    private static String rendered(String overlay) {
        return Objects.requireNonNull(RENDERED.get(overlay), overlay);
    }

    /** Whether a selector picks labels; one that names nothing picks nothing here. */
    private static boolean selects(JsonNode selector, JsonNode labels) {
        return !selector.isEmpty()
                && selector.properties().stream()
                        .allMatch(label -> label.getValue().equals(labels.path(label.getKey())));
    }

    private static Set<String> names(JsonNode list) {
        Set<String> names = new TreeSet<>();
        list.forEach(one -> names.add(text(one, "name")));
        return names;
    }

    private static String text(JsonNode node, String key) {
        return node.path(key).asText();
    }
}
