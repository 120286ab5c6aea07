package switchboard.watch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import switchboard.telemetry.MetricNames;

/** Counts what becomes of standing questions. Thread-safe. */
public final class WatchMeters {
    private final Counter answered;
    private final Counter failed;
    private final Counter news;
    private final Counter lost;

    /** Counters of the questions in {@code book}, of which some wait in {@code queue}. */
    public WatchMeters(MeterRegistry meters, WatchBook book, WatchQueue queue) {
        Gauge.builder(MetricNames.WATCHES, book, WatchBook::size)
                .description("Standing questions")
                .register(meters);
        Gauge.builder(MetricNames.WATCHES_WAITING, queue, WatchQueue::size)
                .description("Standing questions that wait to be asked again")
                .register(meters);
        this.answered = runs(meters, "answered");
        this.failed = runs(meters, "failed");
        this.news = Counter.builder(MetricNames.WATCH_NEWS)
                .description("Documents that came among the first answers to a standing question")
                .register(meters);
        this.lost = Counter.builder(MetricNames.WATCH_NEWS_LOST)
                .description("News that newer news have displaced")
                .register(meters);
    }

    private static Counter runs(MeterRegistry meters, String result) {
        return Counter.builder(MetricNames.WATCH_RUNS)
                .description("Searches for standing questions")
                .tag("result", result)
                .register(meters);
    }

    /** A question was answered, and this came with the answer. */
    public void answered(WatchBook.Arrived arrived) {
        answered.increment();
        news.increment(arrived.fresh());
        lost.increment(arrived.displaced());
    }

    /** A question could not be asked. */
    public void failed() {
        failed.increment();
    }
}
