package switchboard.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * What reading says of a document for a query.
 *
 * @param query the text of the query, or null if it is not kept
 * @param hash its hash, or null if its text is kept
 * @param counts what happened
 * @param rate reads per time that somebody is likely to have looked at it, 0 to 1
 * @param confidence the lower bound of the rate (Wilson 1927, 95 %), 0 to 1: high only if it was read often
 */
public record JudgedHit(
        @Nullable String query,
        @Nullable String hash,
        String address,
        ReadCounts counts,
        double rate,
        double confidence) {
    /** From this lower bound on, a document answers well. */
    private static final double WELL = 0.5;

    /** From this one on, it answers. */
    private static final double AT_ALL = 0.05;

    /**
     * What happened to a document among the hits for a query.
     *
     * @param shown in how many answers it was
     * @param read after how many of these it was read
     * @param skipped in how many it was not read, but one below it
     * @param keys how many keys got it
     */
    public record ReadCounts(int shown, int read, int skipped, int keys) {}

    /** 2 if it answers well, 1 if it answers, 0 if reading does not say so. */
    public int grade() {
        return confidence >= WELL ? 2 : confidence >= AT_ALL ? 1 : 0;
    }

    /** The same in finer steps, 0 to 100, for rankings that are compared. */
    public int gain() {
        return grade() == 0 ? 0 : (int) Math.round(100 * confidence);
    }

    /** As a line for programs. */
    public ObjectNode json() {
        ObjectNode json = Json.object();
        if (query != null) {
            json.put("query", query);
        } else {
            json.put("query_hash", hash);
        }
        return json.put("address", address)
                .put("shown", counts.shown())
                .put("read", counts.read())
                .put("skipped", counts.skipped())
                .put("keys", counts.keys())
                .put("rate", rounded(rate))
                .put("confidence", rounded(confidence))
                .put("grade", grade());
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }

    /** The lower bound of a rate of {@code successes} in {@code trials}, which need not be whole numbers. */
    static double lowerBound(double successes, double trials) {
        if (trials <= 0) {
            return 0;
        }
        double z2 = 1.96 * 1.96;
        double rate = successes / trials;
        double spread = Math.sqrt(z2 * (rate * (1 - rate) / trials + z2 / (4 * trials * trials)));
        return Math.max(0, (rate + z2 / (2 * trials) - spread) / (1 + z2 / trials));
    }
}
