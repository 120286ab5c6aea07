package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.source.DocumentProvider.Skipped;
import switchboard.call.Json;

/** Counts what one update of a collection has done so far. Thread-safe. */
final class UpdateCounts {
    private static final int NAMED = 50;

    /** The effect of an update on one document. */
    enum Change {
        ADDED,
        CHANGED,
        RENAMED,
        UNCHANGED
    }

    private final AtomicInteger[] outcomes = new AtomicInteger[Change.values().length];
    private final AtomicInteger removed = new AtomicInteger();
    private final List<Skipped> skipped = new CopyOnWriteArrayList<>();
    private final AtomicInteger allSkipped = new AtomicInteger();
    private volatile @Nullable String withoutVectors;
    private volatile @Nullable String withoutModel;
    private volatile @Nullable String stopped;

    UpdateCounts() {
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] = new AtomicInteger();
        }
    }

    void count(Change outcome) {
        outcomes[outcome.ordinal()].incrementAndGet();
    }

    void removed() {
        removed.incrementAndGet();
    }

    void skipped(Skipped one) {
        if (allSkipped.incrementAndGet() <= NAMED) {
            skipped.add(one);
        }
    }

    /** Documents were stored without vectors, because of {@code reason}. */
    void withoutVectors(String reason) {
        withoutVectors = reason;
    }

    /** Documents were described by the rules alone, because of {@code reason}. */
    void withoutModel(String reason) {
        withoutModel = reason;
    }

    /** Whether the model for descriptions failed. */
    boolean withoutModel() {
        return withoutModel != null;
    }

    /** The update stops now, because of {@code reason}. */
    void stop(String reason) {
        stopped = reason;
    }

    /** Whether it was stopped. */
    boolean stopped() {
        return stopped != null;
    }

    private int of(Change outcome) {
        return outcomes[outcome.ordinal()].get();
    }

    /** How many documents were written. */
    int written() {
        return of(Change.ADDED) + of(Change.CHANGED) + of(Change.RENAMED);
    }

    /** Whether the update has changed the collection. */
    boolean changed() {
        return written() + removed.get() > 0;
    }

    /** The answer of {@code collection_update}. */
    ObjectNode reply(String name, int remaining, boolean complete) {
        ObjectNode reply = Json.object()
                .put("name", name)
                .put("filesUpdated", written())
                .put("added", of(Change.ADDED))
                .put("changed", of(Change.CHANGED))
                .put("renamed", of(Change.RENAMED))
                .put("unchanged", of(Change.UNCHANGED))
                .put("removed", removed.get())
                .put("complete", complete)
                .put("remaining", remaining)
                .put("skippedTotal", allSkipped.get());
        ArrayNode named = reply.putArray("skipped");
        skipped.stream()
                .sorted(java.util.Comparator.comparing(Skipped::path))
                .forEach(one -> named.addObject().put("path", one.path()).put("reason", one.reason()));
        if (withoutVectors != null) {
            reply.put("withoutVectors", withoutVectors);
        }
        if (withoutModel != null) {
            reply.put("withoutModel", withoutModel);
        }
        if (stopped != null) {
            reply.put("stopped", stopped);
        }
        return reply;
    }
}
