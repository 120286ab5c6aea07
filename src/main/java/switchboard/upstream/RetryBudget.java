package switchboard.upstream;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits retries, so that they don't multiply the load of a failing engine: each first attempt earns a fifth of a
 * retry, up to {@value #MOST_RETRIES} saved ones. As gRPC's retry throttling (proposal A6). Thread-safe.
 */
final class RetryBudget {
    private static final int MOST_RETRIES = 20;
    private static final int COST = 5;

    private final AtomicInteger tokens = new AtomicInteger(MOST_RETRIES * COST);

    /** Counts a first attempt. */
    void earn() {
        tokens.updateAndGet(saved -> Math.min(saved + 1, MOST_RETRIES * COST));
    }

    /** Whether a retry may be made; it is counted then. */
    boolean spend() {
        return tokens.getAndUpdate(saved -> saved >= COST ? saved - COST : saved) >= COST;
    }
}
