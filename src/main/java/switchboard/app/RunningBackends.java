package switchboard.app;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import switchboard.app.BootException.Stage;
import switchboard.backend.Backend;
import switchboard.backend.BackendVerticle;

/** Starts backends and their consumers on the event bus, and stops them. */
final class RunningBackends {
    private final Vertx vertx;
    private final List<LoadedBackend> started = new ArrayList<>();
    private final List<String> consumers = new ArrayList<>();

    RunningBackends(Vertx vertx) {
        this.vertx = vertx;
    }

    /**
     * Starts {@code loaded}.
     *
     * @throws BootException if it can't start
     */
    void start(LoadedBackend loaded) {
        Backend backend = loaded.backend();
        DeploymentOptions options = new DeploymentOptions()
                .setInstances(
                        switch (backend.concurrency()) {
                            case ONE_EVENT_LOOP -> 1;
                            case EVERY_EVENT_LOOP -> Platform.EVENT_LOOPS;
                        });
        try {
            backend.start().await();
            started.add(loaded);
            consumers.add(vertx.deployVerticle(() -> new BackendVerticle(loaded.id(), backend), options)
                    .await());
        } catch (Exception e) { // await rethrows what the start failed with, checked or not
            throw new BootException(Stage.ENVIRONMENT, "backend " + loaded.id() + " can't start: " + e.getMessage(), e);
        }
    }

    /** Accepts no more calls, then stops the backends. */
    void stop() {
        consumers.forEach(consumer -> Platform.finish("consumer of a backend", vertx.undeploy(consumer)));
        started.forEach(loaded ->
                Platform.finish("backend " + loaded.id(), loaded.backend().stop()));
    }
}
