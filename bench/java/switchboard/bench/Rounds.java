package switchboard.bench;

import java.util.List;

/** Loads several servers in turns, A B A B, so that what the machine does besides meets all of them. */
final class Rounds {
    /** The JVM still compiles after a minute of load, which would count as the time of the requests. */
    private static final long WARM_UP_NANOS = 100_000_000_000L;
    private static final int CONNECTIONS = 32;

    private final Wrk wrk;
    private final OpenLoop openLoop;
    private final int rounds;
    private final int seconds;

    /** So many {@code rounds}, in each of which each server is loaded for {@code seconds}. */
    Rounds(Wrk wrk, OpenLoop openLoop, int rounds, int seconds) {
        this.wrk = wrk;
        this.openLoop = openLoop;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /** Lets each answer {@code requests}, or as many as it can in 100 seconds. */
    void warmUp(List<Entry> entries, int requests) throws Exception {
        for (Entry entry : entries) {
            long deadline = System.nanoTime() + WARM_UP_NANOS;
            double answered = 0;
            while (answered < requests && System.nanoTime() < deadline) {
                answered += seconds * closed(entry, CONNECTIONS).perSecond();
            }
        }
    }

    /** Closed loops of {@code connections}. */
    List<Row> closed(List<Entry> entries, int connections) throws Exception {
        return rows(entries, "closed " + connections, (target, contender) ->
                wrk.run(target, contender, connections, seconds));
    }

    /** {@code percent} of what the slowest can, at a fixed rate. */
    List<Row> open(List<Entry> entries, int percent, double capacity) throws Exception {
        return rows(entries, "open " + percent + " %", (target, contender) ->
                openLoop.run(target, contender, capacity * percent / 100, seconds));
    }

    /** Requests a second of the slowest, by the medians of {@code closed} loops: a single run differs too much. */
    static double capacity(List<Row> closed) {
        return closed.stream()
                .mapToDouble(row -> row.perSecond().median())
                .min()
                .orElseThrow();
    }

    private Wrk.Result closed(Entry entry, int connections) throws Exception {
        return wrk.run(entry.target(), entry.contender(), connections, seconds);
    }

    private List<Row> rows(List<Entry> entries, String load, Entry.Measurement measurement) throws Exception {
        List<Row> rows = entries.stream().map(entry -> entry.row(load)).toList();
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < entries.size(); i++) {
                rows.get(i).add(entries.get(i).measure(measurement));
            }
        }
        return rows;
    }
}
