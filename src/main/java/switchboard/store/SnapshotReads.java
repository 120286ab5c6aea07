package switchboard.store;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;

/** The reads of a store, on threads of their own. Thread-safe. */
final class SnapshotReads {
    private final NamespaceCatalog catalog;
    private final Clock clock;
    private final int maxOpen;
    private final BlockingExecutor threads;
    private final SegmentThreads segments;

    SnapshotReads(Vertx vertx, MeterRegistry meters, Clock clock, StoreSettings settings, NamespaceCatalog catalog) {
        this.catalog = catalog;
        this.clock = clock;
        this.maxOpen = settings.maxOpenNamespaces();
        this.threads = settings.executor(vertx, meters, "-read", settings.readThreads(), settings.maxWaiting());
        this.segments = new SegmentThreads(
                "executor-" + settings.name() + "-segments", settings.readThreads(), threads::running);
    }

    /** A read on a snapshot. It runs on an executor. */
    interface SnapshotRead<T> {
        T from(Snapshot snapshot) throws IOException;
    }

    /** Combines the namespaces of a read into one snapshot. */
    interface Joining {
        /**
         * The snapshot of {@code indexes}.
         *
         * @param segments may read several of its segments at once
         */
        Snapshot of(Collection<NamespaceIndex> indexes, DocumentAccess access, Executor segments) throws IOException;
    }

    /** Reads what {@code access} permits of {@code namespaces}. */
    <T> Future<T> read(
            Collection<Namespace> namespaces, DocumentAccess access, Joining joining, SnapshotRead<T> reading) {
        return threads.run(() -> StoreFailures.translated("Reading", () -> {
            long now = clock.millis();
            List<NamespaceIndex> indexes = catalog.find(namespaces);
            indexes.forEach(index -> index.used(now));
            try {
                return from(indexes, access, joining, reading);
            } catch (ToolException e) {
                throw e;
            } catch (IOException | RuntimeException | InternalError e) {
                // Damaged files cause all kinds of failures. From now on, damaged namespaces are left out or named.
                if (indexes.stream().filter(index -> !index.sound()).count() == 0) {
                    throw e;
                }
                return from(indexes, access, joining, reading);
            } finally {
                catalog.trim(maxOpen, Long.MIN_VALUE);
            }
        }));
    }

    private <T> T from(List<NamespaceIndex> indexes, DocumentAccess access, Joining joining, SnapshotRead<T> reading)
            throws IOException {
        try (Snapshot snapshot = joining.of(indexes, access, segments)) {
            return reading.from(snapshot);
        }
    }

    /** Accepts no more reads. The future completes when those under way have ended. */
    Future<Void> close() {
        return threads.close().onComplete(_ -> segments.close());
    }
}
