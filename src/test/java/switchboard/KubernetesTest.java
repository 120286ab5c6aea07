package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.Manifests;
import switchboard.testing.MonitoringFiles;
import switchboard.testing.PythonTools;

/**
 * The overlays and the chart of {@code k8s/} as kubectl and Helm render them: against the schemas of Kubernetes, and that what
 * names something finds it.
 */
@Tag("engines")
class KubernetesTest {
    /** Of the Prometheus operator; Kubernetes has no schema of it. */
    private static final String MONITORING = "monitoring.coreos.com/v1";

    @TempDir
    Path folder;

    static List<String> rendered() {
        return Manifests.ALL;
    }

    @ParameterizedTest
    @MethodSource("rendered")
    void everyManifestFitsTheSchemasOfKubernetes(String name) throws IOException {
        fits(Manifests.of(name));
    }

    @Test
    void monitoringFitsTheSchemasOfKubernetes() throws IOException {
        Manifests monitoring = Manifests.parse(Manifests.kustomize("monitoring"));
        fits(monitoring);
        JsonNode dashboard = monitoring.one("ConfigMap");
        assertEquals("1", dashboard.at("/metadata/labels/grafana_dashboard").asText());
        assertEquals(
                Files.readString(Path.of("k8s/monitoring/dashboard.json")),
                dashboard.path("data").path("switchboard.json").asText());
        assertEquals(1, monitoring.all("PrometheusRule").size());
    }

    private void fits(Manifests manifests) throws IOException {
        Path file = Files.writeString(folder.resolve("all.yaml"), manifests.text());
        String said = PythonTools.kubernetes()
                .run("kubernetes-validate", "--strict", "--kubernetes-version", "1.37", file.toString());
        List<String> expected = manifests.objects().stream()
                .map(object -> object.path("apiVersion").asText().equals(MONITORING)
                        ? "Couldn't find schema for kind " + object.path("kind").asText()
                        : "passed for resource " + object.path("kind").asText().toLowerCase(Locale.ROOT) + "/"
                                + object.path("metadata").path("name").asText() + " ")
                .toList();
        expected.forEach(line -> assertTrue(said.contains(line), () -> line + " in\n" + said));
        assertEquals(expected.size(), said.lines().count(), said);
    }

    @ParameterizedTest
    @MethodSource("rendered")
    void theProcessHasNoRightsThatItDoesNotNeed(String name) {
        JsonNode pod = Manifests.of(name).pod();
        assertTrue(pod.at("/securityContext/runAsNonRoot").asBoolean());
        assertEquals(
                "RuntimeDefault", pod.at("/securityContext/seccompProfile/type").asText());
        assertFalse(pod.path("automountServiceAccountToken").asBoolean(true));
        JsonNode container = pod.at("/containers/0");
        assertFalse(pod.path("enableServiceLinks").asBoolean(true), "variables that nobody asked for");
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

    /** What is slow has time, and what it can grow to is kept for it. */
    @ParameterizedTest
    @MethodSource("rendered")
    void aBusyProcessIsNotEnded(String name) {
        JsonNode container = Manifests.of(name).pod().at("/containers/0");
        assertTrue(patience(container, "startupProbe") >= 300);
        assertTrue(patience(container, "livenessProbe") >= 60);
        assertTrue(patience(container, "livenessProbe") > 2 * patience(container, "readinessProbe"));
        assertTrue(patience(container, "readinessProbe") >= 10);
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            assertTrue(container.path(probe).path("timeoutSeconds").asInt() >= 5, probe);
        }
        assertEquals(
                container.at("/resources/limits/memory"),
                container.at("/resources/requests/memory"),
                "the heap and the model may fill it");
    }

    private static int patience(JsonNode container, String probe) {
        JsonNode settings = container.path(probe);
        return settings.path("periodSeconds").asInt()
                * settings.path("failureThreshold").asInt();
    }

    @ParameterizedTest
    @MethodSource("rendered")
    void whatNamesSomethingFindsIt(String name) {
        Manifests manifests = Manifests.of(name);
        JsonNode workload = manifests.workload();
        JsonNode podLabels = workload.at("/spec/template/metadata/labels");
        assertTrue(selects(workload.at("/spec/selector/matchLabels"), podLabels));
        Set<String> ports = names(manifests.pod().at("/containers/0/ports"));
        for (JsonNode service : manifests.all("Service")) {
            assertTrue(selects(service.at("/spec/selector"), podLabels), service::toString);
            service.at("/spec/ports").forEach(port -> assertTrue(ports.contains(text(port, "targetPort"))));
        }
        JsonNode monitor = manifests.one("ServiceMonitor");
        List<JsonNode> scraped = manifests.all("Service").stream()
                .filter(service -> selects(monitor.at("/spec/selector/matchLabels"), service.at("/metadata/labels")))
                .toList();
        assertEquals(1, scraped.size());
        assertTrue(names(scraped.getFirst().at("/spec/ports"))
                .contains(monitor.at("/spec/endpoints/0/port").asText()));
        List<JsonNode> policies = manifests.all("NetworkPolicy");
        policies.forEach(
                policy -> assertTrue(selects(policy.at("/spec/podSelector/matchLabels"), podLabels), policy::toString));
        assertEquals(name.endsWith("single") ? 1 : 3, policies.size());
        assertEquals(
                name.endsWith("single")
                        ? Set.of("switchboard-teams")
                        : Set.of("switchboard-teams", "switchboard-cluster", "switchboard-engines"),
                missing(manifests));
        Set<String> volumes = names(manifests.pod().path("volumes"));
        workload.at("/spec/volumeClaimTemplates")
                .forEach(claim -> volumes.add(claim.at("/metadata/name").asText()));
        assertEquals(volumes, names(manifests.pod().at("/containers/0/volumeMounts")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"single", "chart/single"})
    void oneProcessOwnsTheStore(String name) {
        Manifests manifests = Manifests.of(name);
        JsonNode spec = manifests.one("Deployment").path("spec");
        assertEquals(1, spec.path("replicas").asInt());
        assertEquals("Recreate", spec.at("/strategy/type").asText());
        assertEquals(
                "switchboard-data",
                manifests.one("PersistentVolumeClaim").at("/metadata/name").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"replicas", "chart/replicas"})
    void severalProcessesHaveAVolumeEachAndAreReplacedOneByOne(String name) throws IOException {
        Manifests manifests = Manifests.of(name);
        JsonNode set = manifests.one("StatefulSet");
        JsonNode spec = set.path("spec");
        assertTrue(spec.path("replicas").isMissingNode(), "the autoscaler's, or each apply sets it back");
        assertEquals("RollingUpdate", spec.at("/updateStrategy/type").asText());
        assertEquals("data", spec.at("/volumeClaimTemplates/0/metadata/name").asText());
        JsonNode headless = service(manifests, text(spec, "serviceName"));
        assertEquals("None", headless.at("/spec/clusterIP").asText());
        JsonNode labels = spec.at("/template/metadata/labels");
        JsonNode budget = manifests.one("PodDisruptionBudget");
        assertTrue(selects(budget.at("/spec/selector/matchLabels"), labels));
        assertEquals(1, budget.at("/spec/maxUnavailable").asInt());
        assertEquals("AlwaysAllow", text(budget.path("spec"), "unhealthyPodEvictionPolicy"));
        manifests
                .pod()
                .path("topologySpreadConstraints")
                .forEach(spread -> assertTrue(selects(spread.at("/labelSelector/matchLabels"), labels)));
        JsonNode scaler = manifests.one("HorizontalPodAutoscaler").path("spec");
        assertEquals("StatefulSet", scaler.at("/scaleTargetRef/kind").asText());
        assertEquals(set.at("/metadata/name"), scaler.at("/scaleTargetRef/name"));
        assertTrue(scaler.path("minReplicas").asInt() > 2, "two are left while one is replaced");
        assertEquals(1, scaler.at("/behavior/scaleDown/policies/0/value").asInt(), "one at a time");
        assertEquals(
                MonitoringFiles.adapterMetric(),
                scaler.at("/metrics/1/pods/metric/name").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"replicas", "chart/replicas"})
    void theIngressLeadsToEachReplica(String name) {
        Manifests manifests = Manifests.of(name);
        JsonNode ingress = manifests.one("Ingress");
        assertFalse(ingress.toString().contains("hash"), "no replica is chosen by what a request has");
        JsonNode backend = ingress.at("/spec/rules/0/http/paths/0/backend/service");
        JsonNode service = service(manifests, text(backend, "name"));
        assertTrue(names(service.at("/spec/ports"))
                .contains(backend.at("/port/name").asText()));
        assertTrue(service.at("/spec/sessionAffinity").isMissingNode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"single", "replicas"})
    void theChartMakesTheSameObjects(String name) {
        assertEquals(
                Manifests.of(name).comparable(), Manifests.of("chart/" + name).comparable());
    }

    private static JsonNode service(Manifests manifests, String name) {
        return manifests.all("Service").stream()
                .filter(found -> found.at("/metadata/name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name));
    }

    /** What the volumes of the pod name and no object makes: the operator's own. */
    private static Set<String> missing(Manifests manifests) {
        Set<String> made = manifests.objects().stream()
                .map(object -> object.at("/metadata/name").asText())
                .collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        for (JsonNode volume : manifests.pod().path("volumes")) {
            volume.at("/projected/sources").forEach(source -> Stream.of("configMap", "secret")
                    .map(kind -> source.path(kind).path("name").asText())
                    .filter(found -> !found.isEmpty())
                    .forEach(missing::add));
            String claim = volume.at("/persistentVolumeClaim/claimName").asText();
            if (!claim.isEmpty()) {
                missing.add(claim);
            }
        }
        missing.removeAll(made);
        return missing;
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
