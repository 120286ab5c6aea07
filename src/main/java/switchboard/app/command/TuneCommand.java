package switchboard.app.command;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.app.BackendTypes;
import switchboard.app.InsightAccess;
import switchboard.app.McpClient;
import switchboard.app.RunningGateway;
import switchboard.app.TrialRun;
import switchboard.app.TuneRun;
import switchboard.config.GatewayConfig;
import switchboard.config.SearchConfig;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.TeamTrials;
import switchboard.tuning.TeamTuning;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.TuningTrial;
import switchboard.tuning.WeightSearch;

/** {@code switchboard tune}. */
@Command(
        name = "tune",
        description =
                "Propose weights of sources and of the vectors for the searches of a team, from what it read after them."
                        + " Nothing changes before a proposal is approved.",
        subcommands = {
            TuneTryCommand.class,
            TuneCommand.Approve.class,
            TuneCommand.Undo.class,
            TuneCommand.Decisions.class
        },
        footer = "  switchboard tune --team research --key-file key.txt")
public final class TuneCommand extends PrintingCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Option(names = "--team", paramLabel = "TEAM", description = "Whose searches; without teams, \"\".")
    private @Nullable String team;

    @Option(names = "--url", paramLabel = "URL", description = "MCP URL of the running gateway: http://host:8080/mcp.")
    private @Nullable URI url;

    @Mixin
    private final KeyOption key = new KeyOption();

    @Override
    public Integer call() throws IOException {
        Logging.forPeople();
        if (team == null) {
            throw wrongUsage("Name the team whose searches are to be tuned: --team.");
        }
        GatewayConfig config = options.load(BackendTypes.shipped());
        SearchConfig search = config.search();
        URI gateway = Optional.ofNullable(url)
                .or(() -> RunningGateway.find(options.installation().data()))
                .orElseThrow(
                        () -> wrongUsage("No gateway runs on this data folder; start one, or name it with --url."));
        TuneRun.TuneOutcome outcome;
        try (McpClient client = new McpClient(gateway, TIMEOUT, key.key());
                InsightAccess insight = InsightAccess.open(config, options.installation())) {
            outcome = new TuneRun(search, insight.tuning(), insight.log(), client)
                    .propose(team, Clock.systemUTC().instant());
        }
        switch (outcome) {
            case TuneRun.TuneOutcome.Proposed(TuningProposal proposal, WeightSearch.FoundWeights found) -> {
                table(found, search.fusion().similarity()).forEach(out()::println);
                out().println("Proposal " + proposal.id() + ". Nothing has changed: switchboard tune approve "
                        + proposal.id() + " puts it to use, and switchboard tune try --team \"" + team
                        + "\" tries it in service before.");
            }
            case TuneRun.TuneOutcome.Unproposed(String why, Optional<WeightSearch.FoundWeights> measured) -> {
                measured.ifPresent(
                        found -> table(found, search.fusion().similarity()).forEach(out()::println));
                out().println("No proposal: " + why);
            }
        }
        out().flush();
        return 0;
    }

    private static List<String> table(WeightSearch.FoundWeights found, double configured) {
        RankingWeights before = found.before();
        RankingWeights after = found.after();
        List<String> lines = new ArrayList<>();
        lines.add("%-40s %10s %10s".formatted("", "now", "best"));
        SortedSet<String> sources = new TreeSet<>(before.sources().keySet());
        sources.addAll(after.sources().keySet());
        sources.forEach(source -> lines.add(line("factor of " + source, before.factor(source), after.factor(source))));
        lines.add(line("similarity", similarity(before, configured), similarity(after, configured)));
        lines.add(line(
                "nDCG@10 of " + found.trained().queries() + " queries it was fitted to",
                found.trained().before(),
                found.trained().after()));
        lines.add(line(
                "nDCG@10 of " + found.heldBack().queries() + " queries held back",
                found.heldBack().before(),
                found.heldBack().after()));
        lines.add(String.format(
                Locale.ROOT,
                "difference held back: %+.4f [%+.4f, %+.4f] p %.3f",
                found.test().mean(),
                found.test().low(),
                found.test().high(),
                found.test().p()));
        return lines;
    }

    private static double similarity(RankingWeights weights, double configured) {
        Double own = weights.similarity();
        return own == null ? configured : own;
    }

    private static String line(String what, double before, double after) {
        return String.format(Locale.ROOT, "%-40s %10.4f %10.4f", what, before, after);
    }

    /** Who decides, on the command line. */
    static final class DeciderOption {
        @Option(
                names = "--by",
                paramLabel = "NAME",
                description = "Who decides, for the record; by default the user who runs this.")
        String by = System.getProperty("user.name", "");
    }

    /** {@code switchboard tune approve}. */
    @Command(
            name = "approve",
            description = "Put a proposal to use. A running gateway ranks by it within seconds.",
            footer = "  switchboard tune approve 1a2b3c4d")
    static final class Approve extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Mixin
        private final DeciderOption decider = new DeciderOption();

        @Parameters(paramLabel = "ID", description = "The id of the proposal.")
        private String id = "";

        @Option(
                names = "--anyway",
                description =
                        "Also if it has lost its trial, or was compared with other weights in the configuration than those now.")
        private boolean anyway;

        @Override
        public Integer call() throws IOException {
            Logging.forPeople();
            GatewayConfig config = options.load(BackendTypes.shipped());
            TrialRun.ApprovedProposal approved;
            try (InsightAccess insight = InsightAccess.open(config, options.installation())) {
                approved = new TrialRun(insight.tuning(), insight.log(), TuneRun.configured(config.search()))
                        .approve(id, anyway, decider.by, Clock.systemUTC().instant());
            }
            TuningProposal proposal = approved.proposal();
            out().println(approved.trial()
                    .map(trial -> "Its trial: " + trial.words() + ".")
                    .orElse("It was not tried in service."));
            out().println("The searches of " + named(proposal.team()) + " rank by proposal " + id
                    + " from now on. switchboard tune undo --team \"" + proposal.team() + "\" goes back.");
            return 0;
        }
    }

    /** {@code switchboard tune undo}. */
    @Command(
            name = "undo",
            description = "End the trial that runs; if there is none, go back to the weights before the last approval.",
            footer = "  switchboard tune undo --team research")
    static final class Undo extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Mixin
        private final DeciderOption decider = new DeciderOption();

        @Mixin
        private final TunedTeamOption team = new TunedTeamOption();

        @Override
        public Integer call() throws IOException {
            Logging.forPeople();
            try (InsightAccess insight = options.insight()) {
                return undo(insight.tuning());
            }
        }

        private int undo(TuningFolder folder) throws IOException {
            Instant time = Clock.systemUTC().instant();
            folder.trials(team.name())
                    .running(time, folder.decisions(team.name()).weights())
                    .ifPresent(trial -> out().println("Proposal " + trial.proposal() + " is not tried any more."));
            TeamTuning now = folder.undo(team.name(), decider.by, time);
            out().println("The searches of " + named(team.name()) + " rank "
                    + (now.weights().equals(RankingWeights.CONFIGURED)
                            ? "as the configuration says."
                            : "as before: " + shown(now.weights()) + "."));
            return 0;
        }
    }

    /** {@code switchboard tune list}. */
    @Command(
            name = "list",
            description = "Show the proposals for a team, what came of trials, and what was decided.",
            footer = "  switchboard tune list --team research")
    static final class Decisions extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Mixin
        private final TunedTeamOption team = new TunedTeamOption();

        @Override
        public Integer call() throws IOException {
            Logging.forPeople();
            GatewayConfig config = options.load(BackendTypes.shipped());
            try (InsightAccess insight = InsightAccess.open(config, options.installation())) {
                return list(new TrialRun(insight.tuning(), insight.log(), TuneRun.configured(config.search())));
            }
        }

        private int list(TrialRun run) throws IOException {
            TuningFolder folder = run.folder();
            for (TuningProposal proposal : folder.proposals(team.name())) {
                out().println("proposal " + proposal.id() + " of " + proposal.created() + ": "
                        + shown(proposal.after())
                        + String.format(
                                Locale.ROOT,
                                "; nDCG@10 held back %+.4f [%+.4f, %+.4f]",
                                proposal.figures().at("/difference/mean").asDouble(),
                                proposal.figures().at("/difference/low").asDouble(),
                                proposal.figures().at("/difference/high").asDouble())
                        + (proposal.comparedWith(run.configured())
                                ? ""
                                : "; compared with other weights in the configuration than those now"));
            }
            TeamTuning tuning = folder.decisions(team.name());
            trials(tuning, run);
            for (TeamTuning.TuningDecision decision : tuning.decisions()) {
                out().println((decision.weights() == null ? "undone " : "approved ") + decision.proposal() + " at "
                        + decision.at() + " by " + decision.by());
            }
            out().println("in use: " + shown(tuning.weights()));
            return 0;
        }

        private void trials(TeamTuning tuning, TrialRun run) throws IOException {
            TeamTrials all = run.folder().trials(team.name());
            Optional<TuningTrial> running = all.running(Clock.systemUTC().instant(), tuning.weights());
            for (TuningTrial trial : all.trials()) {
                out().printf(
                                Locale.ROOT,
                                "%s %s in %.0f of 100 searches since %s by %s%s: %s%n",
                                running.filter(trial::equals).isPresent() ? "trying" : "tried",
                                trial.proposal(),
                                100 * trial.share(),
                                trial.start().at(),
                                trial.start().by(),
                                running.filter(trial::equals).isPresent()
                                        ? " until " + trial.start().until()
                                        : "",
                                run.outcome(team.name(), trial).words());
            }
        }
    }

    static String named(String team) {
        return team.isEmpty() ? "everybody" : team;
    }

    private static String shown(RankingWeights weights) {
        List<String> parts = new ArrayList<>();
        weights.sources().forEach((source, factor) -> parts.add(source + " x " + factor));
        Double similarity = weights.similarity();
        if (similarity != null) {
            parts.add("similarity " + similarity);
        }
        return parts.isEmpty() ? "as the configuration says" : String.join(", ", parts);
    }
}
