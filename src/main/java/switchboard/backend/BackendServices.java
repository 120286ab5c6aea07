package switchboard.backend;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;

/**
 * What the gateway provides to every backend.
 *
 * @param vertx the runtime
 * @param meters where metrics go
 * @param clock the time of day; tests set it
 * @param dataDir the folder that relative data folders are resolved against
 */
public record BackendServices(Vertx vertx, MeterRegistry meters, Clock clock, Path dataDir) {
    /** How the instance {@code id} announces changed lists. */
    public ListChanges listChanges(String id) {
        return new ListChanges(vertx.eventBus(), id);
    }
}
