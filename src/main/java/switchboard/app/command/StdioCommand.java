package switchboard.app.command;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import switchboard.app.BackendTypes;
import switchboard.app.BootException;
import switchboard.app.GatewayApp;
import switchboard.stdio.AccessRefusedException;

/** {@code switchboard stdio}. */
@Command(
        name = "stdio",
        description =
                "Serve one client on standard input and output until its input ends; for clients that start servers.",
        footer = "  switchboard stdio --view vectordb")
public final class StdioCommand implements Callable<Integer> {
    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            description = "What the client sees: a backend or a configured view; by default everything.")
    private String view = "";

    @Override
    public Integer call() {
        Logging.forPeople();
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
        System.setOut(System.err); // standard output must carry MCP messages only
        BackendTypes types = BackendTypes.shipped();
        GatewayApp app =
                GatewayApp.startWithoutPorts(options.load(types), options.installation(), types, Clock.systemUTC());
        ShutdownSignals.inOrder(app::close);
        app.follow(options.file(), () -> options.load(types));
        try {
            app.serveStdio(view, new FileInputStream(FileDescriptor.in), out)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            return 0;
        } catch (CompletionException e) {
            if (e.getCause() instanceof AccessRefusedException refused) {
                throw new BootException(BootException.Stage.CONFIGURATION, List.of(refused.getMessage()));
            }
            return CommandFailures.FAILED; // the client has closed its output
        }
    }
}
