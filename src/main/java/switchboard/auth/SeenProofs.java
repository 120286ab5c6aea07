package switchboard.auth;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The DPoP proofs that were used and would still be accepted (RFC 9449 section 11.1). None of them is forgotten too early:
 * when there is no room for more, new ones are refused. One key has at most a part of the room, so that its owner does not
 * keep out all others. Thread-safe.
 */
final class SeenProofs {
    private final int most;
    private final int mostOfKey;
    private final Map<String, Set<String>> byKey = new HashMap<>();
    private final PriorityQueue<Remembered> byEnd = new PriorityQueue<>(Comparator.comparing(Remembered::until));

    private record Remembered(Instant until, String key, String proof) {}

    /** What is known of a proof. */
    enum Seen {
        /** It was not used before; now it was. */
        NEW,
        /** It was used before. */
        BEFORE,
        /** Nothing, because there is no room to remember it. */
        NO_ROOM
    }

    /**
     * Remembers nothing yet.
     *
     * @param most how many proofs there is room for, at about 200 bytes each
     * @param mostOfKey how many of them may be by one key
     */
    SeenProofs(int most, int mostOfKey) {
        this.most = most;
        this.mostOfKey = mostOfKey;
    }

    /**
     * Uses a proof.
     *
     * @param key the thumbprint of its key
     * @param id its {@code jti}, which is unique for the key
     * @param until the last instant at which it would be accepted
     */
    synchronized Seen use(String key, String id, Instant now, Instant until) {
        forget(now);
        String proof = Thumbprint.of(id); // always of the same length
        Set<String> ofKey = byKey.getOrDefault(key, Set.of());
        if (ofKey.contains(proof)) {
            return Seen.BEFORE;
        }
        if (byEnd.size() >= most || ofKey.size() >= mostOfKey) {
            return Seen.NO_ROOM;
        }
        byKey.computeIfAbsent(key, _ -> new HashSet<>()).add(proof);
        byEnd.add(new Remembered(until, key, proof));
        return Seen.NEW;
    }

    /** How many are remembered, for tests. */
    synchronized int size() {
        return byEnd.size();
    }

    private void forget(Instant now) {
        for (Remembered first = byEnd.peek(); first != null && first.until().isBefore(now); first = byEnd.peek()) {
            byEnd.remove();
            Set<String> ofKey = byKey.getOrDefault(first.key(), Set.of());
            ofKey.remove(first.proof());
            if (ofKey.isEmpty()) {
                byKey.remove(first.key());
            }
        }
    }
}
