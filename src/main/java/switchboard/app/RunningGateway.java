package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.app.BootException.Stage;
import switchboard.call.DiskError;
import switchboard.call.Json;
import switchboard.files.PrivateFiles;

/**
 * The file in a data folder that names the URLs of the gateway that serves it, so that a second process finds the first
 * one.
 */
public final class RunningGateway {
    private static final Logger LOG = LoggerFactory.getLogger(RunningGateway.class);

    private static final String FILE = "gateway.json";

    private RunningGateway() {}

    /**
     * Writes the file for this process, unless it names another process that still runs.
     *
     * @param endpoint for agents
     * @param console for people; empty if there is none
     * @throws BootException if it can't be written
     */
    static void announce(Path data, URI endpoint, Optional<URI> console) {
        if (find(data).isPresent()) {
            return;
        }
        ObjectNode content = Json.object();
        content.put("url", endpoint.toString())
                .put("pid", ProcessHandle.current().pid());
        console.ifPresent(url -> content.put("console", url.toString()));
        try {
            PrivateFiles.folders(data);
            PrivateFiles.replace(data.resolve(FILE), Json.bytes(content));
        } catch (IOException e) {
            throw new BootException(
                    Stage.ENVIRONMENT, "can't write to the data folder " + data + ": " + DiskError.problem(e), e);
        }
    }

    /** Deletes the file if it is still the one of this process; a failure is logged only. */
    static void withdraw(Path data) {
        if (read(data).filter(RunningGateway::ours).isPresent()) {
            try {
                Files.deleteIfExists(data.resolve(FILE));
            } catch (IOException e) {
                LOG.warn("can't remove the file with this gateway's URL from {}: {}", data, e.toString());
            }
        }
    }

    /** The URL of the gateway that serves {@code data}, if its process still runs. */
    public static Optional<URI> find(Path data) {
        return running(data).map(content -> URI.create(content.path("url").asText()));
    }

    /** The URL of its console; empty without one, or without a gateway. */
    public static Optional<URI> console(Path data) {
        return running(data).map(content -> content.path("console").textValue()).map(URI::create);
    }

    private static Optional<ObjectNode> running(Path data) {
        return read(data).filter(content -> ProcessHandle.of(content.path("pid").asLong())
                .map(ProcessHandle::isAlive)
                .orElse(false));
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
            // No file, or one that was truncated by a crash: no gateway is known.
            return Optional.empty();
        }
    }
}
