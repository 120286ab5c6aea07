package switchboard.testing.chaos;

import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What each document may be after the answers that its one writer has got. Thread-safe. */
final class ExpectedDocuments {
    /** No document. */
    static final String GONE = "";

    private final Map<String, Expected> all = new ConcurrentHashMap<>();
    private final Queue<String> defects = new ConcurrentLinkedQueue<>();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile String lastFailure = "";

    /**
     * What a document may be.
     *
     * @param texts the texts that it may have: one if that is known
     * @param id its id; null if that is not known, or there is no document
     * @param changing whether a change is under way
     */
    record Expected(Set<String> texts, @Nullable String id, boolean changing) {
        Expected {
            texts = Set.copyOf(texts);
        }

        /** Whether it is known what the document is. */
        boolean settled() {
            return !changing && texts.size() == 1;
        }
    }

    /** What a source may be; another object after each change. */
    Expected of(String source) {
        return all.computeIfAbsent(source, _ -> new Expected(Set.of(GONE), null, false));
    }

    /** All sources that were written. */
    Set<String> sources() {
        return new TreeSet<>(all.keySet());
    }

    /** A change to {@code text} begins; returns what was there before. */
    Expected begin(String source, String text) {
        Expected before = of(source);
        Set<String> texts = new HashSet<>(before.texts());
        texts.add(text);
        all.put(source, new Expected(texts, before.id(), true));
        return before;
    }

    /** The change was made. */
    void made(String source, String text, @Nullable String id) {
        all.put(source, new Expected(Set.of(text), id, false));
        acknowledged.incrementAndGet();
    }

    /** The change was refused: what was there {@code before} is there. */
    void refused(String source, Expected before, String why) {
        lastFailure = why;
        all.put(source, new Expected(before.texts(), before.id(), false));
        refused.incrementAndGet();
    }

    /** Nobody knows. */
    void unanswered(String source, String why) {
        lastFailure = why;
        all.put(source, new Expected(of(source).texts(), null, false));
        unanswered.incrementAndGet();
    }

    /** All replicas have that text, so it is known from here on. */
    void found(String source, String text, @Nullable String id) {
        all.put(source, new Expected(Set.of(text), id, false));
    }

    /** Something is not as it must be. */
    void defect(String what) {
        if (defects.size() < 20) {
            defects.add(what);
        }
    }

    /** What is not as it must be. */
    Queue<String> defects() {
        return defects;
    }

    /** What the last change that failed was told. */
    String lastFailure() {
        return lastFailure;
    }

    /** How many changes were acknowledged, refused, and not answered. */
    String counts() {
        return acknowledged + " changes acknowledged, " + refused + " refused, " + unanswered + " without an answer";
    }
}
