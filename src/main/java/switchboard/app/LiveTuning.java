package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.Principal;
import switchboard.console.ConsoleEditor;
import switchboard.federation.TeamRankings;
import switchboard.tuning.DamagedTuningException;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.TeamTuning;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.UnsharedTuningException;

/**
 * The weights that operators have approved or try, as they are in the data folder. A file that can't be used is logged, and changes
 * nothing. {@link #look} blocks; the rest does not. Thread-safe.
 */
final class LiveTuning implements TeamRankings {
    private static final Logger LOG = LoggerFactory.getLogger(LiveTuning.class);

    /** What the audit log calls an approval, and below, the end of one. */
    static final String APPROVE = "tuning/approve";

    static final String UNDO = "tuning/undo";

    private final TuningFolder folder;
    private final ChangedFiles files = new ChangedFiles();
    private final Map<Path, TeamTuning> known = new HashMap<>();
    private final LiveTrials trials;
    private final Clock clock;
    private volatile Map<String, RankingWeights> weights = Map.of();
    private volatile Map<String, TeamRanking> rankings = Map.of();

    /**
     * A decision that has come into force.
     *
     * @param team whose searches
     */
    record NewDecision(String team, TeamTuning.TuningDecision decision) {
        /** Writes it into the audit log: who may write in the data folder has made it. */
        void note(AuditRecorder audit) {
            audit.changed(
                    new ConsoleEditor(new Principal(team, decision.by(), List.of()), ""),
                    decision.weights() == null ? UNDO : APPROVE,
                    decision.proposal(),
                    true,
                    "ok");
        }
    }

    /** A decision that is made in this process. */
    @FunctionalInterface
    interface DecisionMaker {
        /** Makes it. */
        void decide(String by, Instant now) throws IOException;
    }

    /** The weights in {@code folder}; none before the first look. */
    LiveTuning(TuningFolder folder, Clock clock) {
        this.folder = folder;
        this.trials = new LiveTrials(folder);
        this.clock = clock;
    }

    @Override
    public TeamRanking of(String team) {
        return rankings.getOrDefault(team, TeamRanking.CONFIGURED);
    }

    /** The folder whose decisions are followed. */
    TuningFolder folder() {
        return folder;
    }

    /** Makes a decision, by which searches rank at once; {@code listener} does not get it, but others that came before it. */
    synchronized void decide(DecisionMaker maker, String by, Instant now, Consumer<NewDecision> listener)
            throws IOException {
        maker.decide(by, now);
        look(decided -> {
            if (!decided.decision().by().equals(by) || !decided.decision().at().equals(now)) {
                listener.accept(decided);
            }
        });
    }

    @Override
    public Optional<RankingTrial> trial(String team) {
        return trials.running(team, clock.instant(), inUse(team))
                .map(trial -> new RankingTrial(trial.id(), ranking(trial.after()), trial.share()));
    }

    private RankingWeights inUse(String team) {
        return weights.getOrDefault(team, RankingWeights.CONFIGURED);
    }

    /** Reads which trials have changed; {@code listener} gets each that has begun or ended since the look before. */
    void lookAtTrials(Consumer<LiveTrials.NewTrial> listener) {
        trials.look(clock.instant(), this::inUse, listener);
    }

    /**
     * Ends a trial in this process, at once.
     *
     * @param trial its id
     * @param end ends it
     * @param listener does not get that, but what else is new about trials
     */
    void endTrial(String trial, DecisionMaker end, String by, Instant now, Consumer<LiveTrials.NewTrial> listener)
            throws IOException {
        trials.end(trial, end, by, now, this::inUse, listener);
    }

    /** Reads what has changed; {@code listener} gets each decision that was not there at the look before. */
    synchronized void look(Consumer<NewDecision> listener) {
        List<Path> decided;
        try {
            pull();
            decided = folder.decided();
        } catch (IOException e) {
            LOG.warn("approved weights of searches can't be looked for: {}", e.toString());
            return;
        }
        boolean changed = known.keySet().retainAll(decided);
        for (Path file : files.among(decided)) {
            changed |= read(file, listener);
        }
        if (changed) {
            publish();
        }
    }

    /** Without the database that gateways share, what is known stays. */
    private void pull() throws IOException {
        try {
            folder.pull();
        } catch (UnsharedTuningException e) {
            LOG.debug("what other gateways have decided is not known now", e);
        }
    }

    private boolean read(Path file, Consumer<NewDecision> listener) {
        try {
            TeamTuning now = TuningFolder.decisions(file).orElseThrow();
            TeamTuning before = known.put(file, now);
            int old = before == null ? 0 : before.decisions().size();
            now.decisions().stream()
                    .skip(old)
                    .forEach(decision -> listener.accept(new NewDecision(now.team(), decision)));
            return true;
        } catch (DamagedTuningException e) {
            LOG.error("{} can't be used; the weights before stay in use: {}", file, e.getMessage());
            return false;
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} can't be read now; the weights before stay in use: {}", file, e.toString());
            files.again(file); // the next look tries again
            return false;
        }
    }

    private void publish() {
        Map<String, RankingWeights> used = new HashMap<>();
        Map<String, TeamRanking> all = new HashMap<>();
        List<String> said = new ArrayList<>();
        for (TeamTuning tuning : known.values()) {
            RankingWeights now = tuning.weights();
            if (!now.equals(RankingWeights.CONFIGURED)) {
                used.put(tuning.team(), now);
                all.put(tuning.team(), ranking(now));
                said.add(
                        tuning.team() + " " + now.sources() + (now.similarity() == null ? "" : " " + now.similarity()));
            }
        }
        weights = Map.copyOf(used);
        rankings = Map.copyOf(all);
        LOG.info("searches rank by approved weights of {} teams: {}", all.size(), said);
    }

    private static TeamRanking ranking(RankingWeights weights) {
        Double similarity = weights.similarity();
        return new TeamRanking(
                weights.sources(), similarity == null ? OptionalDouble.empty() : OptionalDouble.of(similarity));
    }
}
