package switchboard.backend;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import switchboard.call.Tracing;

/**
 * What the gateway provides to every backend.
 *
 * @param vertx the runtime
 * @param meters where metrics go
 * @param clock the time of day; tests set it
 * @param dataDir the folder that relative data folders are resolved against
 * @param tracing told of requests to engines
 */
public record BackendServices(Vertx vertx, MeterRegistry meters, Clock clock, Path dataDir, Tracing tracing) {
    /** Services without tracing. */
    public BackendServices(Vertx vertx, MeterRegistry meters, Clock clock, Path dataDir) {
        this(vertx, meters, clock, dataDir, Tracing.OFF);
    }

    /** How the instance {@code id} announces changed lists. */
    public ListChanges listChanges(String id) {
        return new ListChanges(vertx.eventBus(), id);
    }
}
