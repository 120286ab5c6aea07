package switchboard.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import switchboard.telemetry.MetricNames;

/** Metrics of the HTTP server. One instance for all verticle instances; thread-safe. */
public final class HttpMeters {
    private final MeterRegistry meters;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger exchanges = new AtomicInteger();
    private final AtomicInteger streams = new AtomicInteger();
    private final Map<String, Counter> outcomes = new ConcurrentHashMap<>();
    private final Counter cut;

    /** Registers the metrics in {@code meters}. */
    public HttpMeters(MeterRegistry meters) {
        this.meters = meters;
        gauge(MetricNames.HTTP_CONNECTIONS, "Connections to the MCP endpoint and the console", connections);
        gauge(MetricNames.HTTP_EXCHANGES, "MCP requests under way", exchanges);
        gauge(MetricNames.HTTP_STREAMS, "Event streams to callers", streams);
        this.cut = Counter.builder(MetricNames.HTTP_READERS_CUT)
                .description("Exchanges that ended because the caller did not read the answer")
                .register(meters);
    }

    /** Registers the gauge of the bytes that {@code bodies} has given out. */
    public void bodies(BodyMemoryLimiter bodies) {
        Gauge.builder(MetricNames.HTTP_BODIES, bodies, BodyMemoryLimiter::held)
                .description("Bytes of request bodies in memory")
                .baseUnit(BaseUnits.BYTES)
                .register(meters);
    }

    /** The number of open connections. */
    public int connections() {
        return connections.get();
    }

    /** The number of authenticated exchanges that have not finished. */
    public int exchanges() {
        return exchanges.get();
    }

    /** The number of open streams. Each has one heartbeat timer. */
    public int streams() {
        return streams.get();
    }

    /** Measures the event loop of the calling verticle. */
    void watchLoop(Vertx vertx) {
        EventLoopLag.measure(vertx, meters);
    }

    void connectionOpened() {
        connections.incrementAndGet();
    }

    void connectionClosed() {
        connections.decrementAndGet();
    }

    void exchangeOpened() {
        exchanges.incrementAndGet();
    }

    void exchangeClosed() {
        exchanges.decrementAndGet();
    }

    void streamOpened() {
        streams.incrementAndGet();
    }

    void streamClosed() {
        streams.decrementAndGet();
    }

    void readerCut() {
        cut.increment();
    }

    void refused(int status) {
        Counter.builder(MetricNames.HTTP_REFUSED)
                .description("Requests refused before they reached the protocol")
                .tag("status", Integer.toString(status))
                .register(meters)
                .increment();
    }

    void authenticated(String outcome) {
        outcomes.computeIfAbsent(outcome, this::outcome).increment();
    }

    private Counter outcome(String outcome) {
        return Counter.builder(MetricNames.AUTH_OUTCOMES)
                .description("Checks of credentials, by result")
                .tag("outcome", outcome)
                .register(meters);
    }

    private void gauge(String name, String description, AtomicInteger value) {
        Gauge.builder(name, value, AtomicInteger::get).description(description).register(meters);
    }
}
