package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.Principal;
import switchboard.console.ConsoleEditor;
import switchboard.tuning.DamagedTuningException;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.TeamTrials;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningTrial;

/**
 * The trials of proposals, as they are in the data folder. While a file can't be used, nothing is tried for its team.
 * {@link #look} blocks; the rest does not. Thread-safe.
 */
final class LiveTrials {
    private static final Logger LOG = LoggerFactory.getLogger(LiveTrials.class);

    private final TuningFolder folder;
    private final ChangedFiles files = new ChangedFiles();
    private final Map<Path, TeamTrials> known = new HashMap<>();
    private final Map<String, TuningTrial> told = new HashMap<>();
    private volatile Map<String, TeamTrials> byTeam = Map.of();

    /** What the audit log calls the end of a trial. */
    static final String END = "tuning/try_end";

    /** The trials in {@code folder}; none before the first look. */
    LiveTrials(TuningFolder folder) {
        this.folder = folder;
    }

    /**
     * A trial that has begun or ended.
     *
     * @param team whose searches
     * @param begins whether it has begun
     * @param by who wanted that; of one that is over, who had begun it
     */
    record NewTrial(String team, TuningTrial trial, boolean begins, String by) {
        /** Writes it into the audit log. */
        void note(AuditRecorder audit) {
            audit.changed(
                    new ConsoleEditor(new Principal(team, by, List.of()), ""),
                    begins ? "tuning/try" : END,
                    trial.proposal(),
                    true,
                    "ok");
        }
    }

    /** The trial that runs for {@code team}, which ranks by {@code inUse}; empty if there is none. */
    Optional<TuningTrial> running(String team, Instant now, RankingWeights inUse) {
        TeamTrials trials = byTeam.get(team);
        return trials == null ? Optional.empty() : trials.running(now, inUse);
    }

    /**
     * Ends a trial in this process, so that searches are not mixed any more at once.
     *
     * @param trial its id
     * @param end ends it
     * @param by who wants that
     * @param listener gets what has changed, as with {@link #look}, but not this end
     */
    synchronized void end(
            String trial,
            LiveTuning.DecisionMaker end,
            String by,
            Instant now,
            Function<String, RankingWeights> inUse,
            Consumer<NewTrial> listener)
            throws IOException {
        look(now, inUse, listener); // it may have begun a moment before, or somebody else has ended it
        end.decide(by, now);
        look(now, inUse, other -> {
            if (other.begins() || !other.trial().id().equals(trial)) {
                listener.accept(other);
            }
        });
    }

    /**
     * Reads what has changed.
     *
     * @param inUse the weights of each team
     * @param listener gets each trial that has begun or ended since the look before
     */
    synchronized void look(Instant now, Function<String, RankingWeights> inUse, Consumer<NewTrial> listener) {
        List<Path> tried;
        try {
            tried = folder.tried();
        } catch (IOException e) {
            LOG.warn("trials of weights can't be looked for: {}", e.toString());
            return;
        }
        known.keySet().retainAll(tried);
        files.among(tried).forEach(this::read);
        Map<String, TeamTrials> all = new HashMap<>();
        known.values().forEach(trials -> all.put(trials.team(), trials));
        byTeam = Map.copyOf(all);
        tell(now, inUse, listener);
    }

    private void read(Path file) {
        known.remove(file);
        try {
            known.put(file, TuningFolder.trials(file).orElseThrow());
        } catch (DamagedTuningException e) {
            LOG.error("{} can't be used; nothing is tried for its team: {}", file, e.getMessage());
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} can't be read now; nothing is tried for its team: {}", file, e.toString());
            files.again(file); // the next look tries again
        }
    }

    private void tell(Instant now, Function<String, RankingWeights> inUse, Consumer<NewTrial> listener) {
        Map<String, TuningTrial> run = new HashMap<>();
        byTeam.forEach(
                (team, trials) -> trials.running(now, inUse.apply(team)).ifPresent(trial -> run.put(team, trial)));
        told.forEach((team, trial) -> {
            TuningTrial other = run.get(team);
            if (other == null || !other.id().equals(trial.id())) {
                listener.accept(new NewTrial(team, trial, false, endedBy(team, trial)));
            }
        });
        run.forEach((team, trial) -> {
            TuningTrial other = told.get(team);
            if (other == null || !other.id().equals(trial.id())) {
                listener.accept(new NewTrial(team, trial, true, trial.start().by()));
            }
        });
        told.clear();
        told.putAll(run);
    }

    private String endedBy(String team, TuningTrial trial) {
        TeamTrials trials = byTeam.getOrDefault(team, new TeamTrials(team, List.of()));
        return trials.trials().stream()
                .filter(one -> one.id().equals(trial.id()))
                .map(TuningTrial::end)
                .filter(end -> end != null)
                .map(TuningTrial.TrialEnd::by)
                .findFirst()
                .orElse(trial.start().by());
    }
}
