package switchboard.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import switchboard.call.Json;

/**
 * The trials of a team, the oldest one first. Only the last one can run.
 *
 * @param team its name
 */
public record TeamTrials(String team, List<TuningTrial> trials) {
    public TeamTrials {
        trials = List.copyOf(trials);
    }

    /**
     * The trial that runs at {@code now}; empty if there is none.
     *
     * @param inUse the team's weights: a trial that compares with others is over
     */
    public Optional<TuningTrial> running(Instant now, RankingWeights inUse) {
        return last().filter(trial -> trial.runs(now) && trial.before().equals(inUse));
    }

    /** The last trial of a proposal; empty if there was none. */
    public Optional<TuningTrial> of(String proposal) {
        return trials.reversed().stream()
                .filter(trial -> trial.proposal().equals(proposal))
                .findFirst();
    }

    private Optional<TuningTrial> last() {
        return trials.isEmpty() ? Optional.empty() : Optional.of(trials.getLast());
    }

    TeamTrials and(TuningTrial trial) {
        return new TeamTrials(
                team, Stream.concat(trials.stream(), Stream.of(trial)).toList());
    }

    /** The same with the last one ended. */
    TeamTrials ended(TuningTrial.TrialEnd how) {
        return new TeamTrials(team, trials.subList(0, trials.size() - 1))
                .and(trials.getLast().ended(how));
    }

    ObjectNode json() {
        ObjectNode json = Json.object().put("team", team);
        ArrayNode all = json.putArray("trials");
        trials.forEach(trial -> all.add(trial.json()));
        return json;
    }

    static TeamTrials of(JsonNode json) throws DamagedTuningException {
        if (!json.path("team").isTextual() || !json.path("trials").isArray()) {
            throw new DamagedTuningException("it is no list of trials");
        }
        List<TuningTrial> trials = new ArrayList<>();
        for (JsonNode trial : json.path("trials")) {
            trials.add(TuningTrial.of(trial));
        }
        return new TeamTrials(json.path("team").asText(), trials);
    }
}
