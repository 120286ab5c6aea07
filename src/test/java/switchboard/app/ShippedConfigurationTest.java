package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.config.ConfigLoader;
import switchboard.config.ConfigReference;
import switchboard.config.GatewayConfig;
import switchboard.config.Overrides;

/** The configuration that is shipped: it loads, and it names every key. */
class ShippedConfigurationTest {
    private static final Path FILE = Path.of("conf", "switchboard.yaml");

    static List<String> types() {
        return BackendTypes.shipped().names();
    }

    @Test
    void itLoadsAndIsWhatTheDefaultsSay() {
        GatewayConfig shipped = load(FILE);
        ConfigLoader loader = new ConfigLoader(BackendTypes.shipped().settings(), Map.of());
        GatewayConfig bare = loader.parse(
                "backends: {vectordb: {type: vectordb}, agentroot: {type: agentroot}}",
                "bare.yaml",
                FILE.toAbsolutePath().getParent(),
                Overrides.NONE);
        assertEquals(bare.server(), shipped.server());
        assertEquals(bare.management(), shipped.management());
        assertEquals(bare.sessions(), shipped.sessions());
        assertEquals(bare.auth(), shipped.auth());
        assertEquals(bare.limits(), shipped.limits());
        assertEquals(bare.backends(), shipped.backends());
    }

    @Test
    void theTrialsConfigurationLoads() {
        GatewayConfig trial = new ConfigLoader(
                        BackendTypes.shipped().settings(),
                        Map.of("MEILI_API_KEY", "key", "DATABASE_URL", "postgresql://trial:trial@127.0.0.1:5432/trial"))
                .load(Path.of("docs", "compose-switchboard.yaml"), Overrides.NONE);
        assertEquals(
                List.of("meilisearch", "postgres", "weaviate"),
                trial.backends().keySet().stream().sorted().toList());
    }

    @Test
    void theConfigurationOfTheTrialOfThreeLoads() {
        GatewayConfig trial = new ConfigLoader(
                        BackendTypes.shipped().settings(),
                        Map.of(
                                "STATE_KEY",
                                "a key that is long enough for this",
                                "CLUSTER_DATABASE_URL",
                                "postgres://gateway:trial@postgres:5432/gateway"))
                .load(Path.of("docs", "compose-cluster-switchboard.yaml"), Overrides.NONE);
        // HAProxy checks each second, and takes a gateway out after two failures.
        assertTrue(trial.server().drain().delay().toSeconds() > 2);
        assertNotNull(trial.cluster());
    }

    @Test
    void everyKeyOfTheGatewayIsInIt() throws IOException {
        assertMentions(ConfigReference.gateway());
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyTypeOfBackendIsInItWithItsOutermostKeys(String type) throws IOException {
        assertTrue(Files.readString(FILE).contains("type: " + type), type);
        assertMentions(ConfigReference.backend(BackendTypes.shipped().settings().get(type)).stream()
                .filter(key -> !key.path().contains("."))
                .toList());
    }

    private static void assertMentions(List<ConfigReference.ConfigKey> keys) throws IOException {
        String text = Files.readString(FILE);
        List<String> missing = keys.stream()
                .map(ConfigReference.ConfigKey::path)
                .filter(path -> !Pattern.compile("(?m)^[ #]*" + last(path) + ":|[{,] ?" + last(path) + ":")
                        .matcher(text)
                        .find())
                .toList();
        assertEquals(List.of(), missing, "keys that " + FILE + " does not show");
    }

    private static String last(String path) {
        return Pattern.quote(path.substring(path.lastIndexOf('.') + 1));
    }

    private static GatewayConfig load(Path file) {
        return new ConfigLoader(BackendTypes.shipped().settings(), Map.of()).load(file, Overrides.NONE);
    }
}
