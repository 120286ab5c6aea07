package switchboard.cluster;

import java.time.Instant;
import java.util.List;

/**
 * What a gateway has to know before it writes.
 *
 * @param now the database's clock
 * @param forgotten how often something was to be forgotten until now
 * @param notes what that was in the last seven days
 */
public record InsightLook(Instant now, long forgotten, List<InsightNote> notes) {
    /**
     * A note of what is to be forgotten.
     *
     * @param at what was answered until then is concerned, by the database's clock
     * @param what JSON
     */
    public record InsightNote(Instant at, String what) {}

    public InsightLook {
        notes = List.copyOf(notes);
    }
}
