package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.source.DocumentProvider.Skipped;
import switchboard.call.Json;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentAccess;

/** Counts what one update of a collection has done so far, as its caller may learn it. Thread-safe. */
final class UpdateCounts {
    private static final int NAMED = 50;

    /** Maximum number of different lists of readers that are told apart when clients are notified. */
    private static final int LISTS = 100;

    /** The effect of an update on one document. */
    enum Change {
        ADDED,
        CHANGED,
        RENAMED,
        UNCHANGED
    }

    /**
     * What was done to one document.
     *
     * @param before who could read it; null if it was not there
     * @param after who may read it
     */
    record DocumentOutcome(Change change, @Nullable AllowedReaders before, AllowedReaders after) {
        /** Nothing was done. */
        static DocumentOutcome unchanged(AllowedReaders readers) {
            return new DocumentOutcome(Change.UNCHANGED, readers, readers);
        }
    }

    private final DocumentAccess access;
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger shown = new AtomicInteger();
    private final Set<AllowedReaders> readers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger[] outcomes = new AtomicInteger[Change.values().length];
    private final AtomicInteger removed = new AtomicInteger();
    private final List<Skipped> skipped = new CopyOnWriteArrayList<>();
    private final AtomicInteger allSkipped = new AtomicInteger();
    private volatile @Nullable String withoutVectors;
    private volatile @Nullable String withoutModel;
    private volatile @Nullable String stopped;

    /** Counts for a caller who has {@code access}. */
    UpdateCounts(DocumentAccess access) {
        this.access = access;
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] = new AtomicInteger();
        }
    }

    /**
     * Counts a document. What the caller can't read any more was removed for it, and what it could not read before was added.
     *
     * @return whether the caller learns of it
     */
    boolean count(DocumentOutcome outcome) {
        if (outcome.change() != Change.UNCHANGED) {
            written.incrementAndGet();
            Stream.ofNullable(outcome.before()).forEach(this::changedFor);
            changedFor(outcome.after());
        }
        boolean was = outcome.before() != null && access.permits(outcome.before());
        if (access.permits(outcome.after())) {
            Change change = was || outcome.before() == null ? outcome.change() : Change.ADDED;
            outcomes[change.ordinal()].incrementAndGet();
            shown.incrementAndGet();
            return true;
        }
        // The version of another name is counted when it is removed.
        if (was && outcome.change() != Change.RENAMED) {
            removed.incrementAndGet();
        }
        return false;
    }

    /** Counts a document that is no longer there, which {@code before} could read. */
    void removed(AllowedReaders before) {
        changedFor(before);
        if (access.permits(before)) {
            removed.incrementAndGet();
        }
    }

    /** Beyond the limit everyone who may see the collection is notified, so that notifying stays quick. */
    private void changedFor(AllowedReaders some) {
        readers.add(readers.contains(some) || readers.size() < LISTS ? some : AllowedReaders.ALL);
    }

    /** Counts and names a source that was left out. */
    void skipped(Skipped one) {
        if (allSkipped.incrementAndGet() <= NAMED) {
            skipped.add(one);
        }
    }

    /**
     * Counts a source that was left out whose readers are not known: only who may read everything learns its name.
     *
     * @return whether the caller does
     */
    boolean skippedOfUnknownReaders(Skipped one) {
        if (access instanceof DocumentAccess.Everything) {
            skipped(one);
            return true;
        }
        allSkipped.incrementAndGet();
        return false;
    }

    /** How many documents the caller has learnt of. */
    int shown() {
        return shown.get();
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

    /** Whether anything was changed, whoever may read it. */
    boolean changed() {
        return !readers.isEmpty();
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

    /** How many documents were written, whoever may read them. */
    int written() {
        return written.get();
    }

    /** The result for the caller; who may not see the collection learns nothing of its documents. */
    UpdateReport report(CollectionDefinition definition, int remaining, boolean complete) {
        return new UpdateReport(
                reply(definition.name(), remaining, complete),
                readers.stream().map(definition.allow()::narrowedBy).collect(Collectors.toSet()));
    }

    /** The answer of {@code collection_update}. */
    ObjectNode reply(String name, int remaining, boolean complete) {
        ObjectNode reply = Json.object()
                .put("name", name)
                .put("filesUpdated", of(Change.ADDED) + of(Change.CHANGED) + of(Change.RENAMED))
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
            boolean some = of(Change.ADDED) + of(Change.CHANGED) + of(Change.RENAMED) + removed.get() > 0;
            reply.put("stopped", (some ? "What is counted here was done, the rest was not. " : "") + stopped);
        }
        return reply;
    }
}
