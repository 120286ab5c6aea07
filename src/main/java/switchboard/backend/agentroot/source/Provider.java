package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import switchboard.backend.CallContext;
import switchboard.call.Verb;

/** A kind of place that documents come from. Thread-safe; never blocks the caller. */
public interface Provider {
    /** The word for it in {@code collection_add}. */
    String type();

    /** The pattern of a collection that gives none. */
    String defaultPattern();

    /** The options that a collection may give it. */
    Set<String> options();

    /** What it does besides: a caller needs that verb to add or update a collection of it. */
    Verb verb();

    /** Checks that {@code origin} can be used; fails with a {@link switchboard.call.ToolException} that says why not. */
    Future<Origin> check(Origin origin, CallContext context);

    /** What there is now. Fails as a whole only if nothing can be told of what there is. */
    Future<Scan> scan(Origin origin, CallContext context);

    /**
     * What was found.
     *
     * @param items in the order of their paths
     * @param skipped what is there and can't be taken; what was known below these paths may still exist
     * @param complete whether this is all; if not, what is missing here may still exist
     */
    record Scan(List<Item> items, List<Skipped> skipped, boolean complete) {
        public Scan {
            items = List.copyOf(items);
            skipped = List.copyOf(skipped);
        }
    }

    /** Something left out, and why. */
    record Skipped(String path, String reason) {}
}
