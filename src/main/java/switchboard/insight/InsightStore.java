package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where the search log is: JSON lines by team. Thread-safe; blocks. */
public abstract sealed class InsightStore permits InsightFolder, SharedInsight {
    /**
     * What became of lines.
     *
     * @param forgotten how many were not written, because what they tell of was to be forgotten
     * @param unexplained reads of documents that no search has given as far as is known now; they may be given again
     */
    record Appended(int forgotten, List<TeamLine> unexplained) {}

    /** Hashes of queries. */
    abstract QueryHashes hashes() throws IOException;

    /** Whether there may be something to write of {@code line}. */
    abstract boolean takes(TeamLine line);

    /**
     * Appends lines. After a failure the same lines can be given again, with others: none is written twice.
     *
     * @param lines in their order
     */
    abstract Appended append(List<TeamLine> lines, InsightSettings settings, Instant now) throws IOException;

    /** Removes what is too old, and the oldest of what is too much. */
    abstract void tidy(InsightSettings settings, Instant now) throws IOException;

    /**
     * Gives each line of {@code team}, or of all if it is null, to {@code reader}, the oldest one of a team first.
     *
     * @param from lines before that may be left out; null for all
     */
    public abstract void read(@Nullable String team, @Nullable Instant from, Consumer<JsonNode> reader)
            throws IOException;

    /** Gives each line of {@code team}, or of all if it is null, to {@code reader}, the oldest one of a team first. */
    public final void read(@Nullable String team, Consumer<JsonNode> reader) throws IOException {
        read(team, null, reader);
    }

    /**
     * Forgets, also what a gateway has not yet written of the time until {@code now}.
     *
     * @return how many lines are gone or have changed
     */
    public abstract long forget(Forgetting forgetting, Instant now) throws IOException;
}
