package switchboard.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * A proposal that is tried: a part of the team's searches mix its ranking with the one in use, to see what is read.
 *
 * @param id its name in the search log
 * @param proposal the id of the proposal
 * @param before the weights in use, with which it is compared
 * @param after the weights that are proposed
 * @param share the part of the searches, above 0 to 1
 * @param start since when and until when
 * @param end how it ended before its time; null if it did not
 */
public record TuningTrial(
        String id,
        String proposal,
        RankingWeights before,
        RankingWeights after,
        double share,
        TrialStart start,
        @Nullable TrialEnd end) {
    /**
     * How it began.
     *
     * @param by who wanted it
     * @param until when it ends
     */
    public record TrialStart(Instant at, Instant until, String by) {}

    /**
     * How it ended before its time.
     *
     * @param by who ended it
     */
    public record TrialEnd(Instant at, String by) {}

    /** Whether it runs at {@code now}, if the weights that it is compared with are still in use. */
    public boolean runs(Instant now) {
        return end == null && now.isBefore(start.until());
    }

    TuningTrial ended(TrialEnd how) {
        return new TuningTrial(id, proposal, before, after, share, start, how);
    }

    /** The members that {@code trials.json} has of it; {@code ended} is missing while it runs. */
    public ObjectNode json() {
        ObjectNode json = Json.object().put("id", id).put("proposal", proposal);
        json.set("before", before.json());
        json.set("after", after.json());
        json.put("share", share)
                .put("at", start.at().toString())
                .put("until", start.until().toString())
                .put("by", start.by());
        if (end != null) {
            json.putObject("ended").put("at", end.at().toString()).put("by", end.by());
        }
        return json;
    }

    static TuningTrial of(JsonNode json) throws DamagedTuningException {
        if (json.path("id").asText().isEmpty() || json.path("proposal").asText().isEmpty()) {
            throw new DamagedTuningException("one of its trials has no name");
        }
        JsonNode ended = json.path("ended");
        return new TuningTrial(
                json.path("id").asText(),
                json.path("proposal").asText(),
                RankingWeights.of(json.path("before")),
                RankingWeights.of(json.path("after")),
                share(json.path("share")),
                new TrialStart(
                        TuningProposal.time(json.path("at")),
                        TuningProposal.time(json.path("until")),
                        json.path("by").asText()),
                ended.isMissingNode()
                        ? null
                        : new TrialEnd(
                                TuningProposal.time(ended.path("at")),
                                ended.path("by").asText()));
    }

    private static double share(JsonNode json) throws DamagedTuningException {
        double share = json.asDouble();
        if (!json.isNumber() || !(share > 0 && share <= 1)) {
            throw new DamagedTuningException("share is no number above 0 to 1");
        }
        return share;
    }
}
