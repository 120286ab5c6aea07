package switchboard.app.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.app.BackendTypes;
import switchboard.app.NewKey;
import switchboard.app.TeamKeys;
import switchboard.auth.ApiKey;
import switchboard.cluster.OperatorCommands;
import switchboard.config.ConfigLoader;
import switchboard.config.GatewayConfig;
import switchboard.config.TeamConfig;
import switchboard.config.TeamKeyConfig;

/** {@code switchboard keys}. */
@Command(
        name = "keys",
        description = "Make, revoke and list API keys.",
        subcommands = {KeysCommand.Create.class, KeysCommand.ListAll.class, KeysCommand.Revoke.class},
        footer = "  switchboard keys create --team readers --write")
public final class KeysCommand {
    /** {@code switchboard keys create}. */
    @Command(
            name = "create",
            description =
                    "Make a key. Prints it once, with the lines for the teams file, which holds only its SHA-256.",
            footer = "  switchboard keys create --team readers --expires 2027-01-31 --write")
    static final class Create extends PrintingCommand implements Callable<Integer> {
        @Option(names = "--team", required = true, paramLabel = "NAME", description = "Team that gets the key.")
        @SuppressWarnings("NullAway.Init") // required
        private String team;

        @Option(
                names = "--expires",
                paramLabel = "DATE",
                description = "Day from which it is refused, such as 2027-01-31.")
        private @Nullable LocalDate expires;

        @Option(names = "--name", paramLabel = "TEXT", description = "Who uses it; a note for people.")
        private @Nullable String name;

        @Option(names = "--write", description = "Add the key to the teams file instead of printing its lines.")
        private boolean write;

        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Override
        public Integer call() {
            if (name != null && name.chars().anyMatch(Character::isISOControl)) {
                throw wrongUsage("--name is one line of text.");
            }
            NewKey key = new NewKey(ApiKey.generate(new SecureRandom()), expires, name);
            PrintWriter out = out();
            String next = write ? written(key) : lines(key);
            out.println("The key, shown this once:");
            out.println();
            out.println("  " + key.key().text());
            out.println();
            out.println(next);
            return 0;
        }

        private String written(NewKey key) {
            GatewayConfig config = options.load(BackendTypes.shipped());
            boolean isNew = new TeamKeys(config).add(team, key);
            return "Team " + team + " has the key in " + config.auth().teamsFile()
                    + " from now on; a running gateway reads the file by itself."
                    + (isNew ? "\nThe team is new: give it grants there; without them it may do nothing." : "");
        }

        private String lines(NewKey key) {
            return "Put this into the teams file, under \"keys\" of team " + team + ", or use --write:\n\nteams:\n  "
                    + team + ":\n    keys:\n      - " + String.join("\n        ", key.fields())
                    + "\n\nA running gateway reads the file again by itself. To revoke the key: switchboard keys revoke "
                    + key.key().id();
        }
    }

    /** {@code switchboard keys revoke}. */
    @Command(
            name = "revoke",
            description =
                    "Remove a key from the teams file; a running gateway refuses it within a second. With \"cluster\" in the"
                            + " configuration, all gateways refuse it for good, whatever their files say.",
            footer = "  switchboard keys revoke 4f2a91c0")
    static final class Revoke extends PrintingCommand implements Callable<Integer> {
        @Parameters(paramLabel = "KEY", description = "The key's id, as \"keys list\" shows it.")
        @SuppressWarnings("NullAway.Init") // required
        private String id;

        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Override
        public Integer call() throws OperatorCommands.NotDecidedException {
            GatewayConfig config = options.load(BackendTypes.shipped());
            TeamKeys keys = new TeamKeys(config);
            String team = keys.teamOf(id)
                    .orElseThrow(() -> wrongUsage(
                            "There is no key \"" + id + "\" in " + config.auth().teamsFile() + "; see: keys list"));
            TeamKeys.RevokedKey revoked = keys.revoke(team, id);
            out().println("Key " + id + " of team " + team + " is revoked"
                    + (revoked.everywhere() ? " on all gateways of the cluster, for good." : "."));
            if (revoked.stays() != null) {
                err().println("Its lines stay in the teams file, where they do nothing any more: " + revoked.stays());
            }
            return 0;
        }
    }

    /** {@code switchboard keys list}. */
    @Command(name = "list", description = "Show the teams and their keys.", footer = "  switchboard keys list")
    static final class ListAll extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Override
        public Integer call() {
            GatewayConfig gateway = options.load(BackendTypes.shipped());
            Path file = gateway.auth().teamsFile();
            Set<String> revoked = revoked(gateway);
            Map<String, TeamConfig> teams = new TreeMap<>(
                    new ConfigLoader(Map.of(), System.getenv()).loadTeams(file).teams());
            PrintWriter out = out();
            String row = "%-20s %-14s %-22s %s%n";
            out.printf(Locale.ROOT, row, "TEAM", "KEY", "EXPIRES", "NAME");
            teams.forEach((team, config) -> {
                for (TeamKeyConfig key : config.keys()) {
                    out.printf(
                            Locale.ROOT, row, team, key.id(), end(key, revoked), key.name() == null ? "" : key.name());
                }
            });
            return 0;
        }

        private static String end(TeamKeyConfig key, Set<String> revoked) {
            if (revoked.contains(key.sha256())) {
                return "revoked";
            }
            return key.expires() == null ? "never" : key.expires().toString();
        }

        private Set<String> revoked(GatewayConfig gateway) {
            if (gateway.cluster() == null) {
                return Set.of();
            }
            try {
                return new OperatorCommands(gateway.cluster()).revoked();
            } catch (OperatorCommands.NotDecidedException e) {
                err().println("Which of them are revoked can't be read: " + e.getMessage());
                return Set.of();
            }
        }
    }
}
