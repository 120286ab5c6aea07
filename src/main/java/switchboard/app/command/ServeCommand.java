package switchboard.app.command;

import java.io.PrintWriter;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import switchboard.app.BackendTypes;
import switchboard.app.GatewayApp;
import switchboard.app.Installation;
import switchboard.telemetry.LogLine;

/** {@code switchboard serve}. */
@Command(
        name = "serve",
        description = "Run the gateway until SIGTERM or Ctrl-C.",
        footer = "  switchboard serve --config conf/switchboard.yaml --port 8080")
public final class ServeCommand extends PrintingCommand implements Callable<Integer> {
    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Override
    public Integer call() throws InterruptedException {
        boolean machines = Logging.forServing();
        BackendTypes types = BackendTypes.shipped();
        Clock clock = Clock.systemUTC();
        GatewayApp app = GatewayApp.start(options.load(types), options.installation(), types, clock);
        ShutdownSignals.inOrder(app::close);
        app.follow(options.file(), () -> options.load(types));
        OsSignals.on("HUP", app::reload);
        PrintWriter out = out();
        String serving = "Switchboard " + Installation.version() + " serves MCP on " + app.endpointUrl()
                + ", health and metrics on " + app.managementUrl()
                + app.consoleUrl().map(url -> ", the console on " + url).orElse("");
        // Not a log line, because log levels could hide it and scripts wait for it.
        out.print((machines ? LogLine.of(clock.instant(), "INFO", ServeCommand.class.getName(), serving) : serving)
                + "\n");
        out.flush();
        ShutdownSignals.await();
        return 0;
    }
}
