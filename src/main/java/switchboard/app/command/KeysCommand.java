package switchboard.app.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import switchboard.app.BackendTypes;
import switchboard.auth.ApiKey;
import switchboard.config.ConfigLoader;
import switchboard.config.TeamConfig;
import switchboard.config.TeamKeyConfig;

/** {@code switchboard keys}. */
@Command(
        name = "keys",
        description = "Make API keys, and show whose there are.",
        mixinStandardHelpOptions = true,
        subcommands = {KeysCommand.Create.class, KeysCommand.ListAll.class})
public final class KeysCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do: create or list.");
    }

    /** {@code switchboard keys create}. */
    @Command(
            name = "create",
            description = "Make a key: prints it once, and the lines for the teams file, which has only its SHA-256.",
            mixinStandardHelpOptions = true)
    static final class Create implements Callable<Integer> {
        @Option(names = "--team", required = true, paramLabel = "NAME", description = "Whose key it is.")
        @SuppressWarnings("NullAway.Init") // required
        private String team;

        @Option(
                names = "--expires",
                paramLabel = "DATE",
                description = "From when on it is refused, such as 2027-01-31.")
        private @Nullable LocalDate expires;

        @Option(names = "--name", paramLabel = "TEXT", description = "Who holds it; for people.")
        private @Nullable String name;

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before call
        private CommandSpec spec;

        @Override
        public Integer call() {
            ApiKey key = ApiKey.generate(new SecureRandom());
            PrintWriter out = spec.commandLine().getOut();
            out.println("The key, shown this once:");
            out.println();
            out.println("  " + key.text());
            out.println();
            out.println("Put this into the teams file, under \"keys\" of team " + team + ":");
            out.println();
            out.println("teams:");
            out.println("  " + team + ":");
            out.println("    keys:");
            out.println("      - id: " + key.id());
            out.println("        sha256: " + key.sha256());
            if (expires != null) {
                out.println("        expires: " + expires);
            }
            if (name != null) {
                out.println("        name: '" + name.replace("'", "''") + "'");
            }
            out.println();
            out.println("A running gateway reads the file again by itself. To revoke the key, take its lines out.");
            return 0;
        }
    }

    /** {@code switchboard keys list}. */
    @Command(name = "list", description = "Show the teams and their keys.", mixinStandardHelpOptions = true)
    static final class ListAll implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before call
        private CommandSpec spec;

        @Override
        public Integer call() {
            Path file = options.load(BackendTypes.shipped()).auth().teamsFile();
            Map<String, TeamConfig> teams = new TreeMap<>(
                    new ConfigLoader(Map.of(), System.getenv()).loadTeams(file).teams());
            PrintWriter out = spec.commandLine().getOut();
            String row = "%-20s %-14s %-22s %s%n";
            out.printf(Locale.ROOT, row, "TEAM", "KEY", "EXPIRES", "NAME");
            teams.forEach((team, config) -> {
                for (TeamKeyConfig key : config.keys()) {
                    out.printf(
                            Locale.ROOT,
                            row,
                            team,
                            key.id(),
                            key.expires() == null ? "never" : key.expires().toString(),
                            key.name() == null ? "" : key.name());
                }
            });
            return 0;
        }
    }
}
