package switchboard.app.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import switchboard.app.Installation;

/** {@code switchboard version}. */
@Command(
        name = "version",
        description = "Print the version of the gateway and of Java.",
        footer = "  switchboard version")
public final class VersionCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        for (String line : new VersionLines().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
    }

    /** The same lines for {@code --version}. */
    public static final class VersionLines implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"switchboard " + Installation.version(), "java " + Runtime.version()};
        }
    }
}
