package switchboard.replica;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.store.Namespace;
import switchboard.store.StoreReplica;

/** How far the files are that are being built. It is logged when it begins and ends, and every ten seconds. Thread-safe. */
final class BuildProgress {
    private static final Logger LOG = LoggerFactory.getLogger(BuildProgress.class);
    private static final long LOGGED_EVERY = Duration.ofSeconds(10).toNanos();

    private final StoreReplica replica;
    private final Map<Namespace, Build> builds = new ConcurrentHashMap<>();

    BuildProgress(StoreReplica replica) {
        this.replica = replica;
    }

    /**
     * A build.
     *
     * @param total how many documents the library had at its beginning; 0 if that is not known
     * @param began when it began, or went on after a start
     * @param logged when it was last logged
     */
    private record Build(long total, long began, long logged) {}

    /**
     * What of a library is in its files.
     *
     * @param done documents
     * @param total documents of the library; 0 if that is not known
     * @param begun whether they are being built; otherwise they wait for their turn
     */
    record BuiltPart(long done, long total, boolean begun) {
        /** For who may know how many documents there are. */
        String counted() {
            return total > 0 ? Math.min(done, total) + " of " + total + " documents" : done + " documents so far";
        }

        /** For others. */
        String percent() {
            if (!begun) {
                return "waits";
            }
            return total > 0 ? Math.min(100, 100 * done / total) + " %" : "begun";
        }
    }

    boolean begun(Namespace namespace) {
        return builds.containsKey(namespace);
    }

    /** Whether it has begun, and is known how many documents there are. */
    boolean counted(Namespace namespace) {
        Build build = builds.get(namespace);
        return build != null && build.total() > 0;
    }

    /** It begins, or its documents could be counted at last. */
    void begin(Namespace namespace, long total) {
        long now = System.nanoTime();
        Build before = builds.put(namespace, new Build(total, now, now));
        if (before != null) {
            builds.put(namespace, new Build(total, before.began(), before.logged()));
            return;
        }
        LOG.info(
                "{}: its files are built from the shared database: {}",
                namespace.name(),
                of(namespace).map(BuiltPart::counted).orElse(""));
    }

    /** Some documents more are in the files. */
    void went(Namespace namespace) {
        long now = System.nanoTime();
        builds.computeIfPresent(namespace, (_, build) -> {
            if (now - build.logged() < LOGGED_EVERY) {
                return build;
            }
            LOG.info(
                    "{}: its files are being built: {}",
                    namespace.name(),
                    new BuiltPart(replica.documents(namespace), build.total(), true).counted());
            return new Build(build.total(), build.began(), now);
        });
    }

    void complete(Namespace namespace) {
        Build build = builds.remove(namespace);
        if (build != null) {
            LOG.info(
                    "{}: its files are complete: {} documents in {} s",
                    namespace.name(),
                    replica.documents(namespace),
                    Duration.ofNanos(System.nanoTime() - build.began()).toSeconds());
        }
    }

    /** The files are gone. */
    void forget(Namespace namespace) {
        builds.remove(namespace);
    }

    /** Of a library that is being built now. */
    Optional<BuiltPart> of(Namespace namespace) {
        return Optional.ofNullable(builds.get(namespace))
                .map(build -> new BuiltPart(replica.documents(namespace), build.total(), true));
    }
}
