package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a tool notes about its answer for the search log, and its caller does not get. Thread-safe. */
public final class AnswerNotes {
    /** For an answer that is not logged. */
    public static final AnswerNotes NONE = new AnswerNotes(false);

    private final boolean wanted;
    private volatile @Nullable InterleavedHits interleaved;
    private volatile @Nullable ObjectNode given;

    private AnswerNotes(boolean wanted) {
        this.wanted = wanted;
    }

    /** Notes on one answer that is logged. */
    public static AnswerNotes wanted() {
        return new AnswerNotes(true);
    }

    /** Whether the answer is logged. */
    public boolean areWanted() {
        return wanted;
    }

    /** The answer mixes two rankings. */
    public void interleaved(InterleavedHits hits) {
        if (wanted) {
            interleaved = hits;
        }
    }

    /** The documents that an engine's own tool gives, as {@link GivenDocuments#json} has them, without private data. */
    public void given(ObjectNode documents) {
        if (wanted) {
            given = documents;
        }
    }

    /** The documents that an engine's own tool gives; empty if it says nothing of any. They must not be changed. */
    public Optional<ObjectNode> given() {
        return Optional.ofNullable(given);
    }

    /** How the answer mixes two rankings; empty if it does not. */
    public Optional<InterleavedHits> interleaved() {
        return Optional.ofNullable(interleaved);
    }
}
