package switchboard.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import switchboard.app.AccessExplanation;
import switchboard.app.Authentication;
import switchboard.app.BackendTypes;
import switchboard.app.BootException;
import switchboard.app.CarriedClaims;
import switchboard.app.LiveTeams;
import switchboard.app.StartupCheck;
import switchboard.call.Claim;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Json;
import switchboard.catalog.ToolCatalog;
import switchboard.config.GatewayConfig;

/** {@code switchboard check-config}. */
@Command(
        name = "check-config",
        description = "Check the configuration and the tools without starting anything.",
        footer = "  switchboard check-config --config conf/switchboard.yaml")
public final class CheckConfigCommand extends PrintingCommand implements Callable<Integer> {
    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Option(
            names = "--explain",
            arity = "1..3",
            paramLabel = "TEAM [TOOL [ARGS]]",
            hideParamSyntax = true,
            description = "Show what a team may do and why: for every tool, or for one call, whose arguments are a"
                    + " JSON object.")
    private List<String> explain = List.of();

    @Option(
            names = "--as",
            paramLabel = "FILE",
            description =
                    "With --explain: the claims of an access token (without issuers, of a key), as a JSON object. Shows"
                            + " what they bind the caller to.")
    private @Nullable Path as;

    @Override
    public Integer call() {
        Logging.forPeople();
        if (as != null && explain.isEmpty()) {
            throw wrongUsage("--as belongs to --explain");
        }
        BackendTypes types = BackendTypes.shipped();
        GatewayConfig config = options.load(types);
        PrintWriter out = out();
        for (StartupCheck.BackendSummary backend : StartupCheck.of(config, options.installation(), types)) {
            out.println(backend.id() + " (" + backend.type() + "): " + backend.openTools() + " tools on, "
                    + backend.closedTools() + " off");
        }
        switch (config.auth().mode()) {
            case NONE -> out.println("teams: none; everybody on this machine may do everything");
            case KEYS -> {
                LiveTeams teams = new LiveTeams(config);
                teams.reload();
                List<String> missing = new Authentication(config).missingTeams(teams.current());
                if (!missing.isEmpty()) {
                    throw new BootException(BootException.Stage.CONFIGURATION, missing);
                }
                out.println("teams: " + teams.current().teams().size());
                if (!explain.isEmpty()) {
                    explain(teams, StartupCheck.catalog(config, options.installation(), types), claims(config), out);
                }
            }
        }
        cluster(config, out);
        out.println("The configuration is valid.");
        return 0;
    }

    /** Tests the database that gateways share. */
    private static void cluster(GatewayConfig config, PrintWriter out) {
        List<DiagnosticFinding> found = StartupCheck.cluster(config);
        List<String> problems = found.stream()
                .filter(finding -> !finding.sound())
                .map(finding -> "cluster: " + finding.about() + ": " + finding.detail())
                .toList();
        if (!problems.isEmpty()) {
            throw new BootException(BootException.Stage.ENVIRONMENT, problems);
        }
        found.forEach(finding -> out.println("cluster: " + finding.about() + ": " + finding.detail()));
    }

    private void explain(LiveTeams teams, ToolCatalog catalog, Map<String, Claim> claims, PrintWriter out) {
        try {
            AccessExplanation explanation = new AccessExplanation(
                    teams.current(), explain.getFirst(), catalog.view("").orElseThrow(), claims);
            List<String> lines = explain.size() == 1
                    ? explanation.all()
                    : explanation.call(explain.get(1), arguments(explain.size() == 2 ? "{}" : explain.get(2)));
            lines.forEach(out::println);
        } catch (IllegalArgumentException e) {
            throw wrongUsage("--explain: " + e.getMessage());
        }
    }

    /** The claims in the file of {@code --as} that an issuer of the configuration lets through. */
    private Map<String, Claim> claims(GatewayConfig config) {
        if (as == null) {
            return Map.of();
        }
        try {
            return CarriedClaims.of(config.auth()).known(Json.parse(Files.readAllBytes(as)));
        } catch (IOException e) {
            throw wrongUsage("--as: " + as + " can't be read, or is not JSON: " + e.getMessage());
        }
    }

    private static ObjectNode arguments(String json) {
        try {
            if (Json.parse(json) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the arguments are not JSON: " + Json.problem(e));
        }
        throw new IllegalArgumentException("the arguments must be a JSON object");
    }
}
