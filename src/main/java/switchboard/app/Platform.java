package switchboard.app;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.BusCodecs;
import switchboard.config.GatewayConfig;
import switchboard.embed.EmbedderFactory;
import switchboard.embed.Embedders;

/**
 * What everything in a gateway runs on; closed last.
 *
 * @param vertx event loops and bus
 * @param telemetry metrics and request log
 * @param embedders models
 * @param clock the time of day
 */
record Platform(Vertx vertx, Telemetry telemetry, Embedders embedders, Clock clock) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Platform.class);
    private static final long STEP_SECONDS = 30;

    /** A new platform for a gateway of that configuration. */
    static Platform create(GatewayConfig config, Clock clock) {
        Vertx vertx = Vertx.vertx();
        BusCodecs.register(vertx.eventBus());
        Telemetry telemetry = new Telemetry(clock);
        try {
            Embedders embedders = new EmbedderFactory(vertx, telemetry.registry()).create(config.embedders());
            return new Platform(vertx, telemetry, embedders, clock);
        } catch (IllegalArgumentException e) {
            new Platform(vertx, telemetry, Embedders.none(), clock).close();
            throw new BootException(BootException.Stage.CONFIGURATION, List.of(String.valueOf(e.getMessage())));
        }
    }

    PrometheusMeterRegistry meters() {
        return telemetry.registry();
    }

    @Override
    public void close() {
        finish("embedders", embedders.close());
        finish("runtime", vertx.close());
        telemetry.close();
    }

    /** Waits for one step of a stop; a step that fails or takes too long is logged, and the next one follows. */
    static void finish(String what, Future<?> step) {
        try {
            step.await(STEP_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) { // await rethrows what the step failed with, checked or not
            LOG.warn("{} did not stop cleanly: {}", what, e.toString());
        }
    }
}
