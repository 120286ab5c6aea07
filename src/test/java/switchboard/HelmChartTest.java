package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.config.ConfigReference;
import switchboard.testing.HelmChart;
import switchboard.testing.Manifests;
import switchboard.testing.Yaml;

/** What {@code k8s/chart} makes of values, and which it refuses; {@link KubernetesTest} has what it makes by default. */
@Tag("engines")
class HelmChartTest {
    private static final String SHARED =
            "cluster: {secret: c}, config: {backends: {w: {type: weaviate, url: 'http://w:8080'}}}";

    /** Values that are refused, and what the message names. */
    private static final Map<String, List<String>> REFUSED = refused();

    private static Map<String, List<String>> refused() {
        Map<String, List<String>> cases = new LinkedHashMap<>();
        cases.put("{replicas: 2}", List.of("replicas: 2", "cluster.secret", "replicas: 1"));
        cases.put("{autoscaling: {enabled: true}}", List.of("autoscaling.enabled: true", "cluster.secret"));
        cases.put(
                "{replicas: 13, autoscaling: {enabled: true}, " + SHARED + "}",
                List.of("autoscaling.maxReplicas: 12", "13 or more"));
        cases.put(
                "{replicas: 2, cluster: {secret: c}, config: {backends: {docs: {type: vectordb}}}}",
                List.of("config.backends.docs", "vectordb", "one replica"));
        cases.put("{replicas: 2, cluster: {secret: c}}", List.of("config.backends", "engines"));
        cases.put(
                "{config: {cluster: {database: '${file:/x}'}, backends: {w: {type: weaviate}}}}",
                List.of("config.server.stateKey", "cluster.secret"));
        cases.put("{ingress: {enabled: true}}", List.of("ingress.host"));
        cases.put("{config: {server: {host: 127.0.0.1}}}", List.of("config.server.host: 127.0.0.1"));
        cases.put("{config: {management: {host: localhost}}}", List.of("config.management.host: localhost"));
        cases.put("{config: {server: {port: 0}}}", List.of("config.server.port"));
        cases.put("{config: {auth: {mode: none}}}", List.of("config.auth.mode: none", "teams.secret"));
        cases.put(
                "{config: {server: {drain: {grace: 2m}}}}",
                List.of("terminationGracePeriodSeconds: 60", "145 or more"));
        cases.put(
                "{config: {server: {drain: {delay: 12001ms, grace: 30s}}}}",
                List.of("terminationGracePeriodSeconds: 60", "63 or more"));
        cases.put("{terminationGracePeriodSeconds: 34}", List.of("terminationGracePeriodSeconds: 34", "35 or more"));
        cases.put(
                "{autoscaling: {enabled: true}, resources: {requests: {cpu: null}}, " + SHARED + "}",
                List.of("autoscaling.enabled: true", "resources.requests.cpu"));
        cases.put(
                "{config: {backends: {w: {type: weaviate, apiKey: '${file:/run/secrets/switchboard/w}'}}}}",
                List.of("/run/secrets/switchboard", "engines.secret"));
        cases.put(
                "{config: {backends: {w: {type: weaviate, url: '${env:URL}'}}}}",
                List.of("${env:URL}", "env.URL", "${file:"));
        cases.put("{config: {server: {drain: {delay: 10}}}}", List.of("config", "drain", "delay"));
        cases.put("{config: {server: {drain: 10s}}}", List.of("config", "server", "drain"));
        cases.put("{config: {server: {port: '8080'}}}", List.of("config", "server", "port"));
        cases.put("{config: {backends: {w: weaviate}}}", List.of("config", "backends", "w"));
        cases.put("{config: {auth: {mode: 1}}}", List.of("config", "auth", "mode"));
        cases.put("{env: {LEVEL: 5}}", List.of("env", "LEVEL"));
        cases.put("{env: {'a b': c}}", List.of("env", "a b"));
        cases.put("{monitoring: {namespace: ''}}", List.of("monitoring", "namespace"));
        cases.put("{surprise: 1}", List.of("surprise"));
        cases.put("{image: {name: x}}", List.of("image", "name"));
        cases.put("{config: {servers: {}}}", List.of("config", "servers"));
        cases.put("{replicas: 0}", List.of("replicas", "1"));
        cases.put("{replicas: many}", List.of("replicas", "integer"));
        cases.put("{teams: {secret: ''}}", List.of("teams", "secret"));
        cases.put("{storage: {size: large}}", List.of("storage", "size"));
        cases.put("{ingress: {host: 'https://mcp.example.org'}}", List.of("ingress", "host"));
        cases.put("{networkPolicy: {egress: [{port: 1}]}}", List.of("networkPolicy", "egress", "port"));
        return cases;
    }

    @Test
    void valuesThatCannotWorkAreRefusedByName() {
        List<String> values = List.copyOf(REFUSED.keySet());
        List<HelmChart.Rendered> rendered = HelmChart.render("switchboard", values);
        for (int index = 0; index < values.size(); index++) {
            String complaint = rendered.get(index).complaint();
            String value = values.get(index);
            REFUSED.get(value).forEach(word -> assertTrue(complaint.contains(word), () -> value + ": " + complaint));
            assertEquals("", rendered.get(index).objects());
        }
    }

    @Test
    void allContradictionsAreNamedAtOnce() {
        String complaint = HelmChart.render(
                        "switchboard", List.of("{replicas: 3, ingress: {enabled: true}, config: {auth: {mode: none}}}"))
                .getFirst()
                .complaint();
        for (String word : List.of("replicas: 3", "ingress.host", "config.auth.mode")) {
            assertTrue(complaint.contains(word), complaint);
        }
    }

    @Test
    void whatIsChosenIsInTheObjects() {
        Manifests manifests = render("gw", """
                replicas: 2
                image: {repository: registry.example.org/sw, tag: "7", pullPolicy: Always, pullSecrets: [pull]}
                cluster: {secret: shared}
                storage: {size: 5Gi, className: fast}
                monitoring: {enabled: false}
                networkPolicy: {enabled: false}
                terminationGracePeriodSeconds: 100
                podAnnotations: {example.org/note: "ünïcode: yes"}
                env: {SWITCHBOARD_JAVA_OPTS: "-Xmx1g", LANGUAGE: "ünï \\" : #"}
                tolerations: [{key: k, operator: Exists}]
                config:
                  server: {port: 8443, drain: {delay: 250ms, grace: 1m}}
                  management: {port: 9191}
                  limits: {calls: 2000000}
                  tasks: {max: 5}
                  embedders: {default: {provider: "${env:LANGUAGE}"}}
                  backends: {w: {type: weaviate, url: "http://w:8080"}}
                """);
        JsonNode set = manifests.one("StatefulSet");
        assertEquals("gw-switchboard", set.at("/metadata/name").asText());
        assertEquals(2, set.at("/spec/replicas").asInt());
        assertEquals(
                "fast",
                set.at("/spec/volumeClaimTemplates/0/spec/storageClassName").asText());
        JsonNode container = manifests.pod().at("/containers/0");
        assertEquals("registry.example.org/sw:7", container.path("image").asText());
        assertEquals(8443, container.at("/ports/0/containerPort").asInt());
        assertEquals(9191, container.at("/ports/1/containerPort").asInt());
        assertEquals(
                "ünïcode: yes",
                set.at("/spec/template/metadata/annotations/example.org~1note").asText());
        assertEquals("SWITCHBOARD_JAVA_OPTS", container.at("/env/1/name").asText());
        assertEquals("-Xmx1g", container.at("/env/1/value").asText());
        assertEquals("ünï \" : #", container.at("/env/0/value").asText());
        assertEquals(List.of(), manifests.all("HorizontalPodAutoscaler"));
        assertEquals(1, manifests.all("PodDisruptionBudget").size());
        assertEquals(List.of(), manifests.all("ServiceMonitor"));
        assertEquals(List.of(), manifests.all("NetworkPolicy"));
        JsonNode config = Yaml.tree(manifests.configuration());
        assertEquals(2_000_000, config.at("/limits/calls").asInt());
        assertTrue(config.at("/limits/calls").isIntegralNumber(), config::toString);
        assertEquals(5, config.at("/tasks/max").asInt());
        assertEquals("1m", config.at("/server/drain/grace").asText());
        assertEquals(Set.of("w"), fields(config.path("backends")));
    }

    /** A database by {@code config.cluster} alone, such as one whose URL has another key, makes the same of replicas. */
    @Test
    void aDatabaseOfTheConfigurationIsSharedToo() {
        Manifests manifests = render("gw", """
                replicas: 3
                engines: {secret: all}
                monitoring: {namespace: observability, labels: {release: stack}}
                config:
                  server: {stateKey: "${file:/run/secrets/switchboard/key}"}
                  cluster: {database: "${file:/run/secrets/switchboard/url}", direct: "${file:/run/secrets/switchboard/direct}"}
                  backends: {w: {type: weaviate, url: "http://w:8080"}, docs: {type: vectordb, store: cluster}, large: {type: vectordb, store: weaviate, weaviate: {url: "http://w:8080"}}}
                """);
        assertEquals(3, manifests.one("StatefulSet").at("/spec/replicas").asInt());
        JsonNode config = Yaml.tree(manifests.configuration());
        assertEquals("30s", config.at("/server/drain/grace").asText());
        assertEquals("stdout", config.at("/audit/to").asText());
        assertEquals(0, config.at("/tasks/max").asInt(-1));
        assertEquals(2, manifests.all("NetworkPolicy").size());
        assertEquals(
                "observability",
                manifests
                        .all("NetworkPolicy")
                        .getFirst()
                        .at("/spec/ingress/1/from/0/namespaceSelector/matchLabels/kubernetes.io~1metadata.name")
                        .asText());
        assertEquals(
                "stack",
                manifests.one("ServiceMonitor").at("/metadata/labels/release").asText());
    }

    /** Two releases in a namespace have nothing of each other's. */
    @Test
    void releasesDoNotMeet() {
        Manifests one = render("one", "{}");
        Manifests two = render("two", "{}");
        Set<String> names = names(one);
        names.retainAll(names(two));
        assertEquals(Set.of(), names);
        JsonNode labels = two.workload().at("/spec/template/metadata/labels");
        one.all("Service")
                .forEach(service -> assertTrue(
                        service.at("/spec/selector").properties().stream()
                                .anyMatch(label -> !label.getValue().equals(labels.path(label.getKey()))),
                        service::toString));
        assertEquals(
                one.workload().at("/spec/template/metadata/annotations/checksum~1config"),
                two.workload().at("/spec/template/metadata/annotations/checksum~1config"));
    }

    @Test
    void theSchemaHasTheSectionsOfTheConfigurationAndTheValues() throws IOException {
        JsonNode schema = Json.parse(Files.readString(Path.of("k8s/chart/values.schema.json")));
        assertEquals(
                ConfigReference.gateway().stream()
                        .map(ConfigReference.ConfigKey::path)
                        .filter(path -> !path.contains("."))
                        .collect(Collectors.toCollection(TreeSet::new)),
                fields(schema.at("/properties/config/properties")));
        JsonNode values = Yaml.tree(Files.readString(Path.of("k8s/chart/values.yaml")));
        Set<String> known = fields(schema.path("properties"));
        known.remove("global");
        assertEquals(known, fields(values));
    }

    private static Manifests render(String release, String values) {
        HelmChart.Rendered rendered = HelmChart.render(release, List.of(values)).getFirst();
        assertEquals("", rendered.complaint());
        return Manifests.parse(rendered.objects());
    }

    private static Set<String> names(Manifests manifests) {
        return manifests.objects().stream()
                .map(object -> object.at("/metadata/name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> fields(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
