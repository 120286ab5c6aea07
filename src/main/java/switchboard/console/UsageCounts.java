package switchboard.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * Calls counted together: how they ended, the tokens of their answers, and how long they took, in a histogram whose bounds
 * double from a quarter of a millisecond on. Refused calls are in no histogram. Thread-safe; counting makes no object and
 * waits for nobody.
 */
final class UsageCounts {
    /** So many bytes count as a token: a rough rule, which costs nothing. */
    private static final int BYTES_OF_A_TOKEN = 4;

    private static final long SMALLEST_NANOS = 250_000;
    private static final double NANOS_PER_MS = 1e6;
    private static final int OUTCOMES = UsageOutcome.values().length;
    private static final int TOKENS = OUTCOMES;
    private static final int LATENCIES = TOKENS + 1;

    /** The last one is for all that took longer than four minutes. */
    private static final int BUCKETS = 22;

    private static final int SIZE = LATENCIES + BUCKETS;

    private final AtomicLongArray counts = new AtomicLongArray(SIZE);

    /** Counts calls that ended in the same way. */
    void add(UsageOutcome outcome, long calls, long bytes, long nanos) {
        counts.addAndGet(outcome.ordinal(), calls);
        counts.addAndGet(TOKENS, Math.ceilDiv(bytes, BYTES_OF_A_TOKEN));
        if (outcome != UsageOutcome.REFUSED) {
            counts.addAndGet(LATENCIES + bucket(nanos), calls);
        }
    }

    private static int bucket(long nanos) {
        long units = Math.max(0, nanos) / SMALLEST_NANOS;
        return Math.min(Long.SIZE - Long.numberOfLeadingZeros(units), BUCKETS - 1);
    }

    /** Adds what {@code more} has counted. */
    void addAll(UsageCounts more) {
        for (int i = 0; i < SIZE; i++) {
            long count = more.counts.get(i);
            if (count != 0) {
                counts.addAndGet(i, count);
            }
        }
    }

    /** The counts of {@link #values}. */
    static UsageCounts of(List<Long> values) {
        UsageCounts counts = new UsageCounts();
        for (int i = 0; i < SIZE; i++) {
            counts.counts.set(i, values.get(i));
        }
        return counts;
    }

    /** All counts: how calls ended, tokens, and the histogram. */
    List<Long> values() {
        return IntStream.range(0, SIZE).mapToObj(counts::get).toList();
    }

    /** Takes them out. What is counted meanwhile stays. */
    List<Long> take() {
        return IntStream.range(0, SIZE).mapToObj(i -> counts.getAndSet(i, 0)).toList();
    }

    boolean isEmpty() {
        for (int i = 0; i < SIZE; i++) {
            if (counts.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    long calls() {
        long calls = 0;
        for (int i = 0; i < OUTCOMES; i++) {
            calls += counts.get(i);
        }
        return calls;
    }

    long of(UsageOutcome outcome) {
        return counts.get(outcome.ordinal());
    }

    long tokens() {
        return counts.get(TOKENS);
    }

    /**
     * The latency in milliseconds that {@code part} of the calls did not exceed, as near as the histogram knows; empty if
     * there was no call that has one.
     */
    OptionalDouble latency(double part) {
        long all = 0;
        for (int i = 0; i < BUCKETS; i++) {
            all += counts.get(LATENCIES + i);
        }
        double wanted = part * all;
        double before = 0;
        for (int i = 0; i < BUCKETS; i++) {
            long here = counts.get(LATENCIES + i);
            if (here > 0 && before + here >= wanted) {
                return OptionalDouble.of(within(i, (wanted - before) / here));
            }
            before += here;
        }
        return OptionalDouble.empty();
    }

    private static double within(int bucket, double part) {
        double from = bucket == 0 ? 0 : bound(bucket - 1);
        return from + part * (bound(bucket) - from);
    }

    private static double bound(int bucket) {
        return SMALLEST_NANOS / NANOS_PER_MS * (1L << bucket);
    }

    /** Writes the counts as they are kept. */
    void write(ObjectNode row) {
        for (UsageOutcome outcome : UsageOutcome.values()) {
            row.put(outcome.word(), of(outcome));
        }
        row.put("tokens", tokens());
        ArrayNode latencies = row.putArray("latencies");
        for (int i = 0; i < BUCKETS; i++) {
            latencies.add(counts.get(LATENCIES + i));
        }
    }

    /**
     * The counts of {@link #write}.
     *
     * @throws IllegalArgumentException if these are none
     */
    static UsageCounts read(JsonNode row) {
        UsageCounts read = new UsageCounts();
        for (UsageOutcome outcome : UsageOutcome.values()) {
            read.counts.set(outcome.ordinal(), count(row.path(outcome.word())));
        }
        read.counts.set(TOKENS, count(row.path("tokens")));
        JsonNode latencies = row.path("latencies");
        if (latencies.size() != BUCKETS) {
            throw new IllegalArgumentException("a row with " + latencies.size() + " latencies");
        }
        for (int i = 0; i < BUCKETS; i++) {
            read.counts.set(LATENCIES + i, count(latencies.path(i)));
        }
        return read;
    }

    private static long count(JsonNode number) {
        if (!number.isIntegralNumber() || !number.canConvertToLong() || number.asLong() < 0) {
            throw new IllegalArgumentException("a row without a number that it should have");
        }
        return number.asLong();
    }
}
