package switchboard.upstream;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps retries from multiplying the load of an engine in trouble: each first attempt earns a fifth of a retry, up to
 * {@value #MOST_RETRIES} saved. As in gRPC's retry throttling (proposal A6). Thread-safe.
 */
final class RetryBudget {
    private static final int MOST_RETRIES = 20;
    private static final int COST = 5;

    private final AtomicInteger tokens = new AtomicInteger(MOST_RETRIES * COST);

    /** A first attempt was made. */
    void earn() {
        tokens.updateAndGet(saved -> Math.min(saved + 1, MOST_RETRIES * COST));
    }

    /** Whether a retry may be made; it is then paid for. */
    boolean spend() {
        return tokens.getAndUpdate(saved -> saved >= COST ? saved - COST : saved) >= COST;
    }
}
