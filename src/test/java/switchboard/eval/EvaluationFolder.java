package switchboard.eval;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import switchboard.embed.Embedder;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;

/** A folder in which evaluations keep their store and vectors, as {@code eval --work} does. */
record EvaluationFolder(Vertx vertx, Path folder) {
    /** What is done with an evaluation. */
    interface Measurement<T> {
        T by(Evaluation evaluation) throws IOException;
    }

    /** Opens the store for one measurement with {@code model}. */
    <T> T measure(Embedder model, Measurement<T> measurement) throws IOException {
        LuceneDocumentStore store = LuceneDocumentStore.open(
                        vertx,
                        new SimpleMeterRegistry(),
                        Clock.systemUTC(),
                        StoreSettings.of(folder.resolve("store"), "eval"))
                .await();
        try {
            return measurement.by(
                    new Evaluation(store, Optional.of(model), folder.resolve("vectors"), (_, _, _) -> {}));
        } finally {
            store.close().await();
        }
    }
}
