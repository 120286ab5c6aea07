package switchboard.embed;

import ai.onnxruntime.OrtException;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.Lifetime;
import switchboard.call.SourceQuery;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;

/** A cross-encoder in this process, with a thread for each core. It is loaded on first use. */
final class OnnxReranker implements Reranker {
    private static final Logger LOG = LoggerFactory.getLogger(OnnxReranker.class);
    private static final int MAX_WAITING = 1000;

    /** UTF-16 units of a query that are read; more than any model takes. */
    private static final int MOST_READ = 8192;

    /** How long a model that can't be loaded is not tried again. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Vertx vertx;
    private final CrossEncoderModel model;
    private final BlockingExecutor executor;
    private final int width;
    private final Object lock = new Object();
    private @Nullable Future<CrossEncoder> loading;
    private long loadedAt;

    OnnxReranker(Vertx vertx, MeterRegistry meters, CrossEncoderModel model, TeamShare share) {
        this.vertx = vertx;
        this.model = model;
        this.width = Runtime.getRuntime().availableProcessors();
        this.executor = new BlockingExecutor(vertx, meters, "rerank", width, MAX_WAITING, share);
    }

    private Future<CrossEncoder> loaded() {
        synchronized (lock) {
            Future<CrossEncoder> under = loading;
            if (under == null || (under.failed() && System.nanoTime() - loadedAt >= PAUSE_NANOS)) {
                loadedAt = System.nanoTime();
                under = executor.run(this::load);
                loading = under;
            }
            return Futures.here(under);
        }
    }

    private CrossEncoder load() {
        long start = System.nanoTime();
        try {
            CrossEncoder ready = new CrossEncoder(model);
            LOG.info("Reranker {} loaded in {} ms", model.name(), (System.nanoTime() - start) / 1_000_000);
            return ready;
        } catch (IOException | OrtException e) {
            LOG.warn("Reranker {} can't be loaded: {}", model.name(), e.getMessage());
            throw unavailable(e);
        } catch (LinkageError e) {
            LOG.warn("Reranker {} can't be loaded: {}", model.name(), e.toString());
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "The reranker can't run here: a native library of it does not load on " + NativePlatform.current()
                            + ". The operator can set rerank.provider to http.");
        }
    }

    private ToolException unavailable(Exception cause) {
        return new ToolException(
                FailureKind.UNAVAILABLE, "The reranker " + model.name() + " does not work: " + cause.getMessage());
    }

    @Override
    public Future<List<Double>> scores(String query, List<String> passages, Lifetime lifetime) {
        String asked = SourceQuery.beginning(query, MOST_READ);
        EmbedListener listener = new EmbedListener() {
            @Override
            public boolean cancelled() {
                return lifetime.cancelled();
            }
        };
        return loaded().compose(ready -> new BoundedFanOut<String, Double>(
                        passages, width, (passage, cancelled) -> one(ready, asked, passage, cancelled), listener)
                .start());
    }

    private Future<Double> one(CrossEncoder ready, String query, String passage, BooleanSupplier cancelled) {
        return executor.run(cancelled, () -> {
            try {
                return ready.score(query, passage);
            } catch (IOException | OrtException e) {
                throw unavailable(e);
            }
        });
    }

    @Override
    public Future<Health> check() {
        return Health.of(scores("query", List.of("a passage", "another"), Lifetime.within(HttpReranker.CHECK)));
    }

    @Override
    public Future<Void> close() {
        return executor.close()
                .eventually(() -> vertx.executeBlocking(this::unload, false))
                .mapEmpty();
    }

    private boolean unload() throws OrtException {
        Future<CrossEncoder> under;
        synchronized (lock) {
            under = loading;
        }
        if (under == null || !under.succeeded()) {
            return false;
        }
        under.result().close();
        return true;
    }
}
