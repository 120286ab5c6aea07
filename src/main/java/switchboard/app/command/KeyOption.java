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
import switchboard.config.Secret;

/**
 * The key that a command shows to a running gateway: from a file, or from the environment variable {@value
 * ServerEntry#KEY_VARIABLE}. It is no argument itself, because every user of a machine sees those.
 */
final class KeyOption {
    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "Holds the key to show to a running gateway; by default the environment variable "
                    + ServerEntry.KEY_VARIABLE + " has it, if the gateway wants one.")
    private @Nullable Path file;

    @Spec(Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** The key, if there is one. */
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
                    spec.commandLine(),
                    "--key-file " + file + " can't be read: " + e.getClass().getSimpleName());
        }
    }
}
