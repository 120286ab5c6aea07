package switchboard.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** A gateway with one backend, on which ann is in the group hr, bob in the group it, and feed reads and writes everything. */
abstract class StaffFixture {
    private final Map<String, ApiKey> keys = new TreeMap<>();

    @TempDir
    Path folder;

    /**
     * Starts it.
     *
     * @param type the type of the backend, and its name
     * @param roots the setting that names the folders whose files it may read; it gets {@code files} in {@link #folder}
     */
    TestGateway start(String type, String roots) throws IOException {
        for (String id : List.of("ann", "bob", "feed")) {
            keys.put(id, ApiKey.generate(new SecureRandom()));
        }
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  staff:
                    keys:
                      - {id: ann, sha256: %s, claims: {groups: [hr]}}
                      - {id: bob, sha256: %s, claims: {groups: [it]}}
                    grants: ["*:*"]
                    bindings: {%s: {groups: "{list:groups}"}}
                  feeders:
                    keys: [{id: feed, sha256: %s}]
                    grants: ["*:*"]
                    bindings: {%s: {documents: all}}
                """.formatted(
                        keys.get("ann").sha256(),
                        keys.get("bob").sha256(),
                        type,
                        keys.get("feed").sha256(),
                        type));
        return TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends:
                  %s: {type: %s, %s: ['%s']}
                """.formatted(type, type, roots, folder.resolve("files")), data);
    }

    /** Writes a file below {@code files}. */
    void write(String path, String text) throws IOException {
        Path file = folder.resolve("files").resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** The text of the key of {@code id}. */
    String key(String id) {
        return keys.get(id).text();
    }

    McpTestClient client(TestGateway gateway, String id) {
        return McpTestClient.modern(gateway.url()).with("X-API-Key", key(id));
    }
}
