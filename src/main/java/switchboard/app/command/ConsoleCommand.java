package switchboard.app.command;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import switchboard.app.RunningGateway;

/** {@code switchboard console}. */
@Command(
        name = "console",
        description = "Open the console of the gateway that serves the data folder, in a browser.",
        footer = "  switchboard console")
public final class ConsoleCommand extends PrintingCommand implements Callable<Integer> {
    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Option(names = "--print", description = "Only print its URL.")
    private boolean print;

    @Override
    public Integer call() {
        Optional<URI> console = RunningGateway.console(options.installation().data());
        if (console.isEmpty()) {
            err().println(RunningGateway.find(options.installation().data())
                    .map(gateway -> "The gateway at " + gateway
                            + " has no console. Set console: {enabled: true} in its configuration.")
                    .orElse("No gateway serves this data folder. Start one with: switchboard serve"));
            return CommandFailures.FAILED;
        }
        out().println(console.get());
        if (!print && !opened(console.get())) {
            err().println("Open this address in a browser: no browser could be started from here.");
        }
        return 0;
    }

    private static boolean opened(URI console) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        List<String> command = system.contains("win")
                ? List.of("rundll32", "url.dll,FileProtocolHandler")
                : List.of(system.contains("mac") ? "open" : "xdg-open");
        try {
            new ProcessBuilder(Stream.concat(command.stream(), Stream.of(console.toString()))
                            .toList())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
