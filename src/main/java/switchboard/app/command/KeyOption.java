package switchboard.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import switchboard.call.DiskError;
import switchboard.config.Secret;

/**
 * The key that a command presents to a running gateway: from a file, or from the environment variable
 * {@value ServerEntry#KEY_VARIABLE}. The key itself is never an argument, because every user of a machine can see
 * arguments.
 */
final class KeyOption {
    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the key for a running gateway; by default the environment variable "
                    + ServerEntry.KEY_VARIABLE + " is used, if the gateway needs a key.")
    private @Nullable Path file;

    @Spec(Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** The key, if one is given. */
    Optional<Secret> key() {
        return text().map(String::strip).filter(text -> !text.isEmpty()).map(Secret::of);
    }

    private Optional<String> text() {
        if (file == null) {
            return Optional.ofNullable(System.getenv(ServerEntry.KEY_VARIABLE));
        }
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException e) {
            throw new ParameterException(
                    spec.commandLine(), "--key-file " + file + " can't be read: " + DiskError.problem(e));
        }
    }
}
