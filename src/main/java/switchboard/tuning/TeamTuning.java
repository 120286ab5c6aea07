package switchboard.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * What operators have decided about the weights of a team, the oldest decision first. Each approval counts until it is undone;
 * then the one before it does.
 *
 * @param team its name
 */
public record TeamTuning(String team, List<TuningDecision> decisions) {
    /**
     * A decision.
     *
     * @param proposal the id of the proposal
     * @param weights what was approved, or null if the approval was undone
     * @param by who decided
     */
    public record TuningDecision(String proposal, @Nullable RankingWeights weights, Instant at, String by) {
        /** As the file has it. */
        public ObjectNode json() {
            ObjectNode json = Json.object()
                    .put("decision", weights == null ? UNDONE : APPROVED)
                    .put("proposal", proposal)
                    .put("at", at.toString())
                    .put("by", by);
            if (weights != null) {
                json.set("weights", weights.json());
            }
            return json;
        }

        private static TuningDecision of(JsonNode json) throws DamagedTuningException {
            String decision = json.path("decision").asText();
            if (!decision.equals(APPROVED) && !decision.equals(UNDONE)) {
                throw new DamagedTuningException("\"" + decision + "\" is no decision");
            }
            return new TuningDecision(
                    json.path("proposal").asText(),
                    decision.equals(APPROVED) ? RankingWeights.of(json.path("weights")) : null,
                    TuningProposal.time(json.path("at")),
                    json.path("by").asText());
        }
    }

    private static final String APPROVED = "approved";
    private static final String UNDONE = "undone";

    public TeamTuning {
        decisions = List.copyOf(decisions);
    }

    /** The weights in use. */
    public RankingWeights weights() {
        TuningDecision last = inUse().peek();
        return last == null || last.weights() == null ? RankingWeights.CONFIGURED : last.weights();
    }

    /** The approval that the weights in use are of; empty where searches rank as the configuration says. */
    public Optional<TuningDecision> approval() {
        return Optional.ofNullable(inUse().peek());
    }

    /** The approvals that are not undone, the newest one first. */
    Deque<TuningDecision> inUse() {
        Deque<TuningDecision> stack = new ArrayDeque<>();
        for (TuningDecision decision : decisions) {
            if (decision.weights() != null) {
                stack.push(decision);
            } else {
                stack.poll();
            }
        }
        return stack;
    }

    TeamTuning and(TuningDecision decision) {
        return new TeamTuning(
                team, Stream.concat(decisions.stream(), Stream.of(decision)).toList());
    }

    ObjectNode json() {
        ObjectNode json = Json.object().put("team", team);
        ArrayNode all = json.putArray("decisions");
        decisions.forEach(decision -> all.add(decision.json()));
        return json;
    }

    static TeamTuning of(JsonNode json) throws DamagedTuningException {
        if (!json.path("team").isTextual() || !json.path("decisions").isArray()) {
            throw new DamagedTuningException("it is no list of decisions");
        }
        List<TuningDecision> decisions = new ArrayList<>();
        for (JsonNode decision : json.path("decisions")) {
            decisions.add(TuningDecision.of(decision));
        }
        return new TeamTuning(json.path("team").asText(), decisions);
    }
}
