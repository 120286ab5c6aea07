package switchboard.embed;

import ai.onnxruntime.OrtException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;

/**
 * A model that runs in this process. Queries and documents have executors of their own with a thread per core, so that
 * a query does not wait for a long ingestion.
 */
public final class OnnxEmbedder implements Embedder {
    private static final Logger LOG = LoggerFactory.getLogger(OnnxEmbedder.class);
    private static final String CLOSED = "The embedding model is closed.";
    private static final int MAX_WAITING = 1000;

    private static final long NEVER_NANOS = TimeUnit.DAYS.toNanos(36_500);

    /** How long a model that can't be loaded is not tried again. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Vertx vertx;
    private final OnnxModel model;
    private final NativeModelLoader loader;
    private final QueryVectorCache known;
    private final BlockingExecutor queries;
    private final BlockingExecutor documents;
    private final int width;
    private final EmbeddingFailures failures;
    private final EmbeddingDurations times;
    private final LazyTokenCounter tokens;
    private final Object lock = new Object();
    private volatile ModelReadiness readiness = new ModelReadiness.Idle();
    private volatile @Nullable LoadedModel loaded;
    private @Nullable Promise<Void> loading;
    private long retryAt;
    private @Nullable Future<Void> closing;

    /**
     * An embedder that loads {@code model} on first use.
     *
     * @param name the embedder's name in the configuration; two may have the same model
     * @param remembered how many vectors of queries are cached
     * @param share the part of threads and queues that one team may use
     */
    OnnxEmbedder(Vertx vertx, MeterRegistry meters, String name, OnnxModel model, int remembered, TeamShare share) {
        this(vertx, meters, name, model, remembered, share, NativeModelLoader.LIBRARIES);
    }

    /** The only one of a process. */
    public OnnxEmbedder(Vertx vertx, MeterRegistry meters, OnnxModel model, int remembered, TeamShare share) {
        this(vertx, meters, Embedders.DEFAULT, model, remembered, share);
    }

    /** The same with another way to load. */
    OnnxEmbedder(
            Vertx vertx,
            MeterRegistry meters,
            String name,
            OnnxModel model,
            int remembered,
            TeamShare share,
            NativeModelLoader loader) {
        this.vertx = vertx;
        this.model = model;
        this.loader = loader;
        this.known = new QueryVectorCache(remembered);
        this.width = Runtime.getRuntime().availableProcessors();
        // Executors of one name would share their metrics.
        String of = name.equals(Embedders.DEFAULT) ? "" : "-" + name;
        this.queries = new BlockingExecutor(vertx, meters, "embed-query" + of, width, MAX_WAITING, share);
        this.documents = new BlockingExecutor(vertx, meters, "embed-document" + of, width, MAX_WAITING, share);
        this.failures = new EmbeddingFailures(meters, "onnx", model.name());
        this.times = EmbeddingDurations.of(meters, model.name());
        this.tokens = new LazyTokenCounter(loader, model.files());
    }

    @Override
    public String model() {
        return VectorModelName.withTraits(model.name(), model.traits());
    }

    @Override
    public int dimension() {
        return model.dimension();
    }

    @Override
    public int maxTokens() {
        return model.maxTokens() - 2;
    }

    @Override
    public ModelTraits traits() {
        return model.traits();
    }

    @Override
    public TokenCounter tokens() {
        return tokens;
    }

    @Override
    public ModelReadiness readiness() {
        return readiness;
    }

    /** Loads a model whose files the operator brought. The shipped one needs no check: it loads where its libraries do. */
    @Override
    public Optional<Future<Health>> check() {
        return model.files().brought() ? Optional.of(Health.of(warmUp())) : Optional.empty();
    }

    @Override
    public Future<Void> warmUp() {
        Promise<Void> mine;
        synchronized (lock) {
            // Memory may have been short, or a file is there now.
            if (loading != null && System.nanoTime() - retryAt < 0) {
                return Futures.here(loading.future());
            }
            retryAt = System.nanoTime() + NEVER_NANOS;
            mine = Promise.promise();
            loading = mine;
            readiness = new ModelReadiness.Loading();
        }
        Futures.settle(
                queries.run(this::load),
                done -> {
                    if (done.succeeded()) {
                        mine.complete();
                    } else {
                        ToolException reason = unavailable(done.cause());
                        readiness = new ModelReadiness.Failed(reason.failed().message());
                        if (!(done.cause() instanceof LinkageError)) {
                            synchronized (lock) {
                                retryAt = System.nanoTime() + PAUSE_NANOS;
                            }
                        }
                        mine.fail(reason);
                    }
                },
                mine::tryFail);
        return Futures.here(mine.future());
    }

    private LoadedModel load() throws IOException, OrtException {
        long start = System.nanoTime();
        LoadedModel ready = loader.model(model, tokens.loaded());
        // The first call makes the runtime allocate its buffers, which would slow down the first search.
        float[] first;
        try {
            first = ready.embed("warm-up");
        } catch (IOException | OrtException | RuntimeException e) {
            ready.close();
            throw e;
        }
        loaded = ready;
        readiness = new ModelReadiness.Ready();
        LOG.info("Model {} loaded in {} ms, {} dimensions", model.name(), millisSince(start), first.length);
        return ready;
    }

    private static long millisSince(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }

    private ToolException unavailable(Throwable cause) {
        if (cause instanceof ToolException refused) {
            return refused;
        }
        if (closed()) {
            // Its thread was interrupted, which says nothing of the model.
            return new ToolException(FailureKind.UNAVAILABLE, CLOSED);
        }
        failures.failed(FailureKind.UNAVAILABLE);
        if (cause instanceof LinkageError) {
            ToolException unloadable = NativeModelLoader.unloadable();
            LOG.warn("{} ({})", unloadable.getMessage(), cause.toString());
            return unloadable;
        }
        if (model.files().brought()) {
            LOG.warn("Model {} can't be loaded: {}", model.name(), cause.getMessage());
        } else {
            LOG.warn("Model {} can't be loaded", model.name(), cause);
        }
        return new ToolException(
                FailureKind.UNAVAILABLE,
                "The embedding model " + model.name() + " can't be loaded: " + cause.getMessage()
                        + " Keyword search works without it.");
    }

    private boolean closed() {
        synchronized (lock) {
            return closing != null;
        }
    }

    @Override
    public Future<float[]> embedQuery(String text) {
        return known.get(text, unknown -> warmUp().compose(
                        _ -> queries.run(timed(times.query(), model.queryPrefix() + unknown))));
    }

    @Override
    public Future<List<float[]>> embedDocuments(List<String> texts, EmbedListener listener) {
        return warmUp().compose(ready ->
                new BoundedFanOut<String, float[]>(texts, width, this::embedDocument, listener).start());
    }

    private Future<float[]> embedDocument(String text, BooleanSupplier cancelled) {
        return documents.run(cancelled, timed(times.document(), model.documentPrefix() + text));
    }

    private Callable<float[]> timed(Timer timer, String text) {
        return () -> {
            LoadedModel ready = loaded;
            if (ready == null) {
                throw NativeResourceGuard.closed();
            }
            long start = System.nanoTime();
            float[] vector = counted(ready, text);
            timer.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            return vector;
        };
    }

    private float[] counted(LoadedModel ready, String text) throws IOException, OrtException {
        try {
            return ready.embed(text);
        } catch (IOException | OrtException | RuntimeException e) {
            failures.failed(e instanceof ToolException known ? known.failed().kind() : FailureKind.INTERNAL);
            throw e;
        }
    }

    /** Finishes the texts under way, fails those that wait, then releases the native memory. */
    @Override
    public Future<Void> close() {
        synchronized (lock) {
            if (closing == null) {
                closing = Future.join(queries.close(), documents.close())
                        .eventually(() -> vertx.executeBlocking(this::unload, false))
                        .mapEmpty();
            }
            return closing;
        }
    }

    private boolean unload() throws OrtException {
        readiness = new ModelReadiness.Failed(CLOSED);
        LoadedModel ready = loaded;
        loaded = null;
        try {
            if (ready != null) {
                ready.close();
            }
        } finally {
            tokens.close();
        }
        return ready != null;
    }
}
