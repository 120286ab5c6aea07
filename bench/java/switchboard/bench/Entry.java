package switchboard.bench;

import java.util.Locale;

/**
 * One server that does one thing.
 *
 * @param disturbance what goes on besides while it is measured
 */
record Entry(Work work, Era era, Contender contender, Target target, Disturbance disturbance) {
    /** Something that goes on until it is closed. */
    @FunctionalInterface
    interface Disturbance {
        AutoCloseable begin() throws Exception;
    }

    /** How it is loaded. */
    @FunctionalInterface
    interface Measurement {
        Wrk.Result of(Target target, Contender contender) throws Exception;
    }

    /** An empty row for it under {@code load}. */
    Row row(String load) {
        return new Row(work.name(), era.name().toLowerCase(Locale.ROOT), load, contender.name());
    }

    /** Measures it once; the figures are those of a call, of which a request may hold several. */
    Wrk.Result measure(Measurement measurement) throws Exception {
        try (AutoCloseable _ = disturbance.begin()) {
            return measurement.of(target, contender).of(work.calls());
        }
    }
}
