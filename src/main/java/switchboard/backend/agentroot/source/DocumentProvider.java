package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.call.CallContext;
import switchboard.call.Verb;

/** A kind of source of documents. Thread-safe; never blocks the caller. */
public interface DocumentProvider {
    /** The word for it in {@code collection_add}. */
    String type();

    /** The default pattern. */
    String defaultPattern();

    /** The options that it supports. */
    Set<String> options();

    /** The additional verb that a caller needs to add or update a collection of it. */
    Verb verb();

    /**
     * Checks that {@code origin} can be used; otherwise fails with a {@link switchboard.call.ToolException} that says
     * why.
     */
    Future<CollectionOrigin> check(CollectionOrigin origin, CallContext context);

    /** Fails if the folder or file of {@code origin} is not here. Cheap; what is not read from files is not looked for. */
    default Future<Void> find(CollectionOrigin origin, CallContext context) {
        return Future.succeededFuture();
    }

    /**
     * The folders of documents that a scan does not have which may only not be mounted here, where another gateway may have them.
     * Fails with {@code CONFLICT} if that is the folder of {@code origin} itself.
     *
     * @param gone the paths of these documents
     */
    default Future<List<Skipped>> unmounted(CollectionOrigin origin, Collection<String> gone, CallContext context) {
        return Future.succeededFuture(List.of());
    }

    /** Lists the current documents. Fails only if nothing can be listed at all. */
    Future<Scan> scan(CollectionOrigin origin, CallContext context);

    /**
     * The documents found.
     *
     * @param items in the order of their paths
     * @param skipped documents that exist but can't be used; known documents below these paths may still exist
     * @param complete whether this is everything; if not, missing documents may still exist
     */
    record Scan(List<SourceDocument> items, List<Skipped> skipped, boolean complete) {
        public Scan {
            items = List.copyOf(items);
            skipped = List.copyOf(skipped);
        }

        /** The same where more can't be seen. */
        public Scan without(List<Skipped> more) {
            return new Scan(
                    items, Stream.concat(skipped.stream(), more.stream()).toList(), complete);
        }

        /** Matches known paths that no longer exist. What can't be seen now may still exist and does not match. */
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

    /**
     * A source that was left out.
     *
     * @param permission who may read it, and learns of it
     */
    record Skipped(String path, String reason, SourcePermission permission) {
        /** The same for those only whom {@code more} permits, too. */
        Skipped within(SourcePermission more) {
            return new Skipped(path, reason, permission.and(more));
        }
    }
}
