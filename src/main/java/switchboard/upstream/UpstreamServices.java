package switchboard.upstream;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.time.Clock;
import switchboard.call.Tracing;

/**
 * The services of the gateway that a client of an engine uses.
 *
 * @param vertx the runtime
 * @param meters where metrics go
 * @param clock the time of day; tests set it
 * @param tracing makes a span for each attempt
 */
public record UpstreamServices(Vertx vertx, MeterRegistry meters, Clock clock, Tracing tracing) {}
