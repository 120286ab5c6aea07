package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.catalog.DescriptorReader;
import switchboard.config.ConfigReference;
import switchboard.federation.FederationBackend;
import switchboard.testing.SeedPage;

/**
 * The generated pages are those of this code. To write them anew: {@code mvn test -Dtest=GeneratedDocsTest
 * -Ddocs.write=true}.
 */
class GeneratedDocsTest {
    private static final Path DOCS = Path.of("docs");

    static List<String> types() {
        return Stream.concat(BackendTypes.shipped().names().stream(), Stream.of(FederationBackend.ID))
                .toList();
    }

    @Test
    void theConfigurationPageIsCurrent() throws IOException {
        current(
                DOCS.resolve("configuration.md"),
                ConfigReference.page(BackendTypes.shipped().settings()));
    }

    @ParameterizedTest
    @MethodSource("types")
    void thePageOfABackendTypesToolsIsCurrent(String type) throws IOException {
        Path file = Path.of("backends", type, "tools.json");
        current(
                DOCS.resolve("tools").resolve(type + ".md"),
                ToolsMarkdown.page(type, DescriptorReader.read(file.toString(), Files.readAllBytes(file))));
    }

    @Test
    void thePageOfTheExamplesOfTheFiveServersIsCurrent() throws IOException {
        current(DOCS.resolve("migrating").resolve("examples.md"), SeedPage.markdown());
    }

    private static void current(Path file, String generated) throws IOException {
        if (Boolean.getBoolean("docs.write")) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, generated);
        }
        String written = Files.exists(file) ? Files.readString(file) : "";
        assertEquals(
                generated,
                written,
                file + " is not what the code says; run: mvn test -Dtest=GeneratedDocsTest -Ddocs.write=true");
    }
}
