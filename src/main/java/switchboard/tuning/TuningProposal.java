package switchboard.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * Weights that were better on queries that they were not fitted to. An operator decides whether they are used.
 *
 * @param id names it in commands
 * @param team whose searches
 * @param before the weights that it was compared with
 * @param after the weights that are proposed
 * @param configured the configuration of that time, or null if that is not recorded
 * @param figures what was measured, as it is shown
 */
public record TuningProposal(
        String id,
        String team,
        Instant created,
        RankingWeights before,
        RankingWeights after,
        @Nullable ConfiguredWeights configured,
        ObjectNode figures) {
    /**
     * What a proposal was made from.
     *
     * @param judgments how many pairs of a query and a document
     * @param keys how many keys have read them
     */
    public record JudgedReads(int judgments, int keys) {}

    /** Names what a person has seen of this proposal: another one with the same id has another. SHA-256, hexadecimal. */
    public String hash() {
        return DigestUtils.sha256Hex(Json.bytes(json()));
    }

    /** Whether it was compared with this configuration, as far as is recorded. */
    public boolean comparedWith(ConfiguredWeights now) {
        return configured == null || configured.equals(now);
    }

    static ObjectNode figures(WeightSearch.FoundWeights found, JudgedReads reads) {
        ObjectNode figures = Json.object();
        figures.set("training", Json.tree(found.trained()));
        figures.set("held_back", Json.tree(found.heldBack()));
        figures.set("difference", Json.tree(found.test()));
        figures.set("judged", Json.tree(reads));
        return figures;
    }

    /** As the file has it. */
    public ObjectNode json() {
        ObjectNode json = Json.object().put("id", id).put("team", team).put("created", created.toString());
        json.set("before", before.json());
        json.set("after", after.json());
        if (configured != null) {
            json.set("configured", configured.json());
        }
        json.set("ndcg10", figures);
        return json;
    }

    static TuningProposal of(JsonNode json) throws DamagedTuningException {
        if (!(json.path("ndcg10") instanceof ObjectNode figures)
                || !json.path("id").isTextual()
                || !json.path("team").isTextual()) {
            throw new DamagedTuningException("it is no whole proposal");
        }
        return new TuningProposal(
                json.path("id").asText(),
                json.path("team").asText(),
                time(json.path("created")),
                RankingWeights.of(json.path("before")),
                RankingWeights.of(json.path("after")),
                json.has("configured") ? ConfiguredWeights.of(json.path("configured")) : null,
                figures);
    }

    static Instant time(JsonNode time) throws DamagedTuningException {
        try {
            return Instant.parse(time.asText());
        } catch (DateTimeException _) {
            throw new DamagedTuningException("\"" + time.asText() + "\" is no time");
        }
    }
}
