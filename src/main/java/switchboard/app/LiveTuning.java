package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.federation.TeamRankings;
import switchboard.tuning.DamagedTuningException;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.TeamTuning;
import switchboard.tuning.TuningFolder;

/**
 * The weights that operators have approved, as they are in the data folder. A file that can't be used is logged, and changes
 * nothing. {@link #look} blocks; the rest does not. Thread-safe.
 */
final class LiveTuning implements TeamRankings {
    private static final Logger LOG = LoggerFactory.getLogger(LiveTuning.class);

    private final TuningFolder folder;
    private final Map<Path, FileVersion> seen = new HashMap<>();
    private final Map<Path, TeamTuning> known = new HashMap<>();
    private volatile Map<String, TeamRanking> rankings = Map.of();

    /**
     * A decision that has come into force.
     *
     * @param team whose searches
     */
    record NewDecision(String team, TeamTuning.TuningDecision decision) {}

    /** The weights in {@code folder}; none before the first look. */
    LiveTuning(TuningFolder folder) {
        this.folder = folder;
    }

    @Override
    public TeamRanking of(String team) {
        return rankings.getOrDefault(team, TeamRanking.CONFIGURED);
    }

    /** Reads what has changed; {@code listener} gets each decision that was not there at the look before. */
    synchronized void look(Consumer<NewDecision> listener) {
        List<Path> files;
        try {
            files = folder.decided();
        } catch (IOException e) {
            LOG.warn("approved weights of searches can't be looked for: {}", e.toString());
            return;
        }
        boolean changed = known.keySet().retainAll(files);
        seen.keySet().retainAll(files);
        for (Path file : files) {
            FileVersion version = FileVersion.of(file);
            if (!version.equals(seen.put(file, version))) {
                changed |= read(file, listener);
            }
        }
        if (changed) {
            publish();
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
            seen.remove(file); // the next look tries again
            return false;
        }
    }

    private void publish() {
        Map<String, TeamRanking> all = new HashMap<>();
        List<String> said = new ArrayList<>();
        for (TeamTuning tuning : known.values()) {
            RankingWeights weights = tuning.weights();
            if (!weights.equals(RankingWeights.CONFIGURED)) {
                Double similarity = weights.similarity();
                all.put(
                        tuning.team(),
                        new TeamRanking(
                                weights.sources(),
                                similarity == null ? OptionalDouble.empty() : OptionalDouble.of(similarity)));
                said.add(tuning.team() + " " + weights.sources() + (similarity == null ? "" : " " + similarity));
            }
        }
        rankings = Map.copyOf(all);
        LOG.info("searches rank by approved weights of {} teams: {}", all.size(), said);
    }
}
