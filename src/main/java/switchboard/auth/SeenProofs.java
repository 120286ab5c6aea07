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
 * when there is no room for more, new ones are refused. One bearer has at most a part of the room, with
 * whichever keys, so that it does not keep out all others. Thread-safe.
 */
final class SeenProofs {
    private final int most;
    private final int mostOfBearer;
    private final Map<String, Set<String>> byBearer = new HashMap<>();
    private final PriorityQueue<Remembered> byEnd = new PriorityQueue<>(Comparator.comparing(Remembered::until));

    private record Remembered(Instant until, String bearer, String proof) {}

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
     * @param mostOfBearer how many of them may be of one bearer
     */
    SeenProofs(int most, int mostOfBearer) {
        this.most = most;
        this.mostOfBearer = mostOfBearer;
    }

    /**
     * Uses a proof.
     *
     * @param bearer whom the token is about that it came with
     * @param id what tells it from all other proofs
     * @param until the last instant at which it would be accepted
     */
    synchronized Seen use(String bearer, String id, Instant now, Instant until) {
        forget(now);
        String proof = Thumbprint.of(id); // always of the same length
        Set<String> ofBearer = byBearer.getOrDefault(bearer, Set.of());
        if (ofBearer.contains(proof)) {
            return Seen.BEFORE;
        }
        if (byEnd.size() >= most || ofBearer.size() >= mostOfBearer) {
            return Seen.NO_ROOM;
        }
        byBearer.computeIfAbsent(bearer, _ -> new HashSet<>()).add(proof);
        byEnd.add(new Remembered(until, bearer, proof));
        return Seen.NEW;
    }

    /** How many are remembered, for tests. */
    synchronized int size() {
        return byEnd.size();
    }

    private void forget(Instant now) {
        for (Remembered first = byEnd.peek(); first != null && first.until().isBefore(now); first = byEnd.peek()) {
            byEnd.remove();
            Set<String> ofBearer = byBearer.getOrDefault(first.bearer(), Set.of());
            ofBearer.remove(first.proof());
            if (ofBearer.isEmpty()) {
                byBearer.remove(first.bearer());
            }
        }
    }
}
