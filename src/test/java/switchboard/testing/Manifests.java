package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Objects of Kubernetes, as kubectl and Helm render them from {@code k8s/}.
 *
 * @param text all of them as YAML
 * @param objects the same, parsed
 */
public record Manifests(String text, List<JsonNode> objects) {
    /** What is rendered in tests: two overlays, and the chart with the same choices. */
    public static final List<String> ALL = List.of("single", "replicas", "chart/single", "chart/replicas");

    private static final Map<String, Manifests> RENDERED = new ConcurrentHashMap<>();
    private static final List<String> LABELS_OF_HELM = List.of(
            "app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "app.kubernetes.io/version", "helm.sh/chart");

    public Manifests {
        objects = List.copyOf(objects);
    }

    /** One of {@link #ALL}. */
    public static Manifests of(String name) {
        return RENDERED.computeIfAbsent(
                name,
                _ -> parse(
                        switch (name) {
                            case "chart/single" -> chart("{}");
                            case "chart/replicas" -> chart(example());
                            default -> kustomize("overlays/" + name);
                        }));
    }

    /** What kubectl makes of a folder of {@code k8s/}. */
    public static String kustomize(String folder) {
        return PythonTools.kubernetes()
                .run("kubectl", "kustomize", Path.of("k8s", folder).toString());
    }

    private static String chart(String values) {
        HelmChart.Rendered rendered =
                HelmChart.render("switchboard", List.of(values)).getFirst();
        assertEquals("", rendered.complaint());
        return rendered.objects();
    }

    private static String example() {
        try {
            return Files.readString(Path.of("k8s", "chart", "examples", "replicas.yaml"));
        } catch (IOException e) {
            throw new AssertionError("no example", e);
        }
    }

    /** The objects of {@code text}. */
    public static Manifests parse(String text) {
        return new Manifests(
                text,
                Yaml.trees(text).stream().filter(object -> !object.isEmpty()).toList());
    }

    /** The only object of {@code kind}. */
    public JsonNode one(String kind) {
        List<JsonNode> found = all(kind);
        assertEquals(1, found.size(), kind);
        return found.getFirst();
    }

    /** All objects of {@code kind}. */
    public List<JsonNode> all(String kind) {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .toList();
    }

    /** The Deployment or StatefulSet. */
    public JsonNode workload() {
        List<JsonNode> found = Stream.of("Deployment", "StatefulSet")
                .flatMap(kind -> all(kind).stream())
                .toList();
        assertEquals(1, found.size());
        return found.getFirst();
    }

    /** What its pods have. */
    public JsonNode pod() {
        return workload().at("/spec/template/spec");
    }

    /** The text of {@code switchboard.yaml}. */
    public String configuration() {
        return one("ConfigMap").path("data").path("switchboard.yaml").asText();
    }

    /**
     * The objects by kind and name, without what kubectl and Helm each add in their own way so that a new configuration
     * replaces the pods, and without Helm's labels.
     */
    public Map<String, JsonNode> comparable() {
        Map<String, JsonNode> all = new TreeMap<>();
        for (JsonNode object :
                parse(text.replaceAll("switchboard-config-[a-z0-9]{10}\\b", "switchboard-config")).objects) {
            strip(object);
            if (object.path("kind").asText().equals("ConfigMap")) {
                ((ObjectNode) object)
                        .set(
                                "data",
                                Yaml.tree(object.at("/data/switchboard.yaml").asText()));
            }
            all.put(
                    object.path("kind").asText() + "/"
                            + object.at("/metadata/name").asText(),
                    object);
        }
        return all;
    }

    private static void strip(JsonNode node) {
        if (node instanceof ObjectNode object) {
            LABELS_OF_HELM.forEach(object::remove);
            object.remove(List.of("checksum/config", "helm.sh/resource-policy"));
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> strip(object.get(name)));
            if (object.path("volumes") instanceof ArrayNode volumes) {
                List<JsonNode> sorted = new ArrayList<>();
                volumes.forEach(sorted::add);
                sorted.sort(Comparator.comparing(volume -> volume.path("name").asText()));
                volumes.removeAll().addAll(sorted);
            }
            if (object.path("annotations").isEmpty()) {
                object.remove("annotations");
            }
        } else {
            node.forEach(Manifests::strip);
        }
    }
}
