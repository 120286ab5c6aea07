package switchboard.app.command;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import switchboard.app.Authentication;
import switchboard.app.BackendTypes;
import switchboard.app.BootException;
import switchboard.app.Inspection;
import switchboard.app.TeamsInForce;
import switchboard.config.GatewayConfig;

/** {@code switchboard check-config}. */
@Command(
        name = "check-config",
        description = "Check the configuration and the tools without starting anything.",
        mixinStandardHelpOptions = true)
public final class CheckConfigCommand implements Callable<Integer> {
    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.forPeople();
        BackendTypes types = BackendTypes.shipped();
        GatewayConfig config = options.load(types);
        PrintWriter out = spec.commandLine().getOut();
        for (Inspection.BackendSummary backend : Inspection.of(config, options.installation(), types)) {
            out.println(backend.id() + " (" + backend.type() + "): " + backend.openTools() + " tools on, "
                    + backend.closedTools() + " off");
        }
        switch (config.auth().mode()) {
            case NONE -> out.println("teams: none; everybody on this machine may do everything");
            case KEYS -> {
                TeamsInForce teams = new TeamsInForce(config);
                teams.reload();
                List<String> missing = new Authentication(config).missingTeams(teams.current());
                if (!missing.isEmpty()) {
                    throw new BootException(BootException.Stage.CONFIGURATION, missing);
                }
                out.println("teams: " + teams.current().teams().size());
            }
        }
        out.println("The configuration is good.");
        return 0;
    }
}
