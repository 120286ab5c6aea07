package switchboard.app.command;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import switchboard.app.BackendTypes;
import switchboard.app.InsightAccess;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningTrial;

/** {@code switchboard tune try}. */
@Command(
        name = "try",
        description =
                "Try a proposal in service: a part of the team's searches mix its ranking with the one in use, so that"
                        + " what is read tells which one is better. tune list shows what comes of it.",
        footer = "  switchboard tune try --team research --percent 50 --days 14")
final class TuneTryCommand extends PrintingCommand implements Callable<Integer> {
    private static final int MOST_DAYS = 365;

    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Mixin
    private final TuneCommand.DeciderOption decider = new TuneCommand.DeciderOption();

    @Mixin
    private final TunedTeamOption team = new TunedTeamOption();

    @Option(
            names = "--proposal",
            paramLabel = "ID",
            description = "The id of the proposal; by default the newest one that can be used.")
    private @Nullable String proposal;

    @Option(
            names = "--percent",
            paramLabel = "PERCENT",
            defaultValue = "50",
            description = "How many of a hundred searches mix both rankings, 1 to 100; ${DEFAULT-VALUE} by default.")
    private int percent;

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            defaultValue = "14",
            description = "After so many days it ends, 1 to 365; ${DEFAULT-VALUE} by default.")
    private int days;

    @Override
    public Integer call() throws IOException {
        Logging.forPeople();
        if (percent < 1 || percent > 100) {
            throw wrongUsage("--percent is 1 to 100.");
        }
        if (days < 1 || days > MOST_DAYS) {
            throw wrongUsage("--days is 1 to " + MOST_DAYS + ".");
        }
        if (!options.load(BackendTypes.shipped()).insight().logs(team.name())) {
            throw wrongUsage("The searches of " + TuneCommand.named(team.name())
                    + " are not logged, so nothing could be learned: see insight.teams.");
        }
        TuningTrial trial;
        try (InsightAccess insight = options.insight()) {
            trial = insight.tuning()
                    .begin(
                            new TuningFolder.TrialPlan(team.name(), proposal, percent / 100.0, Duration.ofDays(days)),
                            decider.by,
                            Clock.systemUTC().instant());
        }
        out().printf(
                        Locale.ROOT,
                        "Proposal %s is tried in %d of 100 searches of %s until %s.%n"
                                + "switchboard tune list --team \"%s\" shows what comes of it; tune undo ends it.%n",
                        trial.proposal(),
                        percent,
                        TuneCommand.named(team.name()),
                        trial.start().until(),
                        team.name());
        out().flush();
        return 0;
    }
}
