package switchboard.app.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import switchboard.app.Installation;

/** {@code switchboard version}. */
@Command(
        name = "version",
        description = "Print the version of the gateway and of Java.",
        footer = "  switchboard version")
public final class VersionCommand extends PrintingCommand implements Runnable {
    @Override
    public void run() {
        for (String line : new VersionLines().getVersion()) {
            out().println(line);
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
