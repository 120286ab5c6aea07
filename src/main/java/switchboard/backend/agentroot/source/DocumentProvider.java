package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import switchboard.call.CallContext;
import switchboard.call.Verb;

/** A kind of place that documents come from. Thread-safe; never blocks the caller. */
public interface DocumentProvider {
    /** The word for it in {@code collection_add}. */
    String type();

    /** The pattern of a collection that gives none. */
    String defaultPattern();

    /** The options that a collection may give it. */
    Set<String> options();

    /** What it does besides: a caller needs that verb to add or update a collection of it. */
    Verb verb();

    /** Checks that {@code origin} can be used; fails with a {@link switchboard.call.ToolException} that says why not. */
    Future<CollectionOrigin> check(CollectionOrigin origin, CallContext context);

    /** What there is now. Fails as a whole only if nothing can be told of what there is. */
    Future<Scan> scan(CollectionOrigin origin, CallContext context);

    /**
     * What was found.
     *
     * @param items in the order of their paths
     * @param skipped what is there and can't be taken; what was known below these paths may still exist
     * @param complete whether this is all; if not, what is missing here may still exist
     */
    record Scan(List<SourceDocument> items, List<Skipped> skipped, boolean complete) {
        public Scan {
            items = List.copyOf(items);
            skipped = List.copyOf(skipped);
        }

        /** Which of the paths that were known before are gone; what is not seen now may still be there. */
        public Predicate<String> missing() {
            Set<String> found = items.stream().map(SourceDocument::path).collect(Collectors.toSet());
            Set<String> unseen = skipped.stream().map(Skipped::path).collect(Collectors.toSet());
            return path -> !found.contains(path) && !within(path, unseen);
        }

        /** Whether a path or a folder above it is one of {@code paths}. */
        private static boolean within(String path, Set<String> paths) {
            for (String at = path; !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('/')))) {
                if (paths.contains(at)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Something left out, and why. */
    record Skipped(String path, String reason) {}
}
