package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import switchboard.call.Json;
import switchboard.files.PrivateFiles;

/**
 * Where the gateway that owns a data folder can be asked: a small file in that folder, so that a second process finds
 * the first instead of fighting for its locks.
 */
public final class RunningGateway {
    private static final String FILE = "gateway.json";

    private RunningGateway() {}

    /** Says that this process serves {@code data} at {@code endpoint}, unless one that is alive has said so before. */
    static void announce(Path data, URI endpoint) throws IOException {
        if (find(data).isPresent()) {
            return;
        }
        ObjectNode content = Json.object();
        content.put("url", endpoint.toString())
                .put("pid", ProcessHandle.current().pid());
        PrivateFiles.folders(data);
        PrivateFiles.replace(data.resolve(FILE), Json.bytes(content));
    }

    /** Takes the announcement back, if it is still this process's. */
    static void withdraw(Path data) throws IOException {
        if (read(data).filter(RunningGateway::ours).isPresent()) {
            Files.deleteIfExists(data.resolve(FILE));
        }
    }

    /** The endpoint of the gateway that serves {@code data}, if its process is alive. */
    public static Optional<URI> find(Path data) {
        return read(data)
                .filter(content -> ProcessHandle.of(content.path("pid").asLong())
                        .map(ProcessHandle::isAlive)
                        .orElse(false))
                .map(content -> URI.create(content.path("url").asText()));
    }

    private static boolean ours(ObjectNode content) {
        return content.path("pid").asLong() == ProcessHandle.current().pid();
    }

    private static Optional<ObjectNode> read(Path data) {
        try {
            return Json.parse(Files.readAllBytes(data.resolve(FILE))) instanceof ObjectNode content
                    ? Optional.of(content)
                    : Optional.empty();
        } catch (IOException _) {
            // No file, or one cut short by a crash: there is nobody to ask.
            return Optional.empty();
        }
    }
}
