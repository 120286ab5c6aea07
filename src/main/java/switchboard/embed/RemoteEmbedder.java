package switchboard.embed;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.ToolException;
import switchboard.config.EmbedderConfig;
import switchboard.telemetry.MetricNames;

/** A model at a provider. Vectors of queries are cached; documents are sent in batches, one after the other. */
final class RemoteEmbedder implements Embedder {
    private final RemoteModel model;
    private final String vectorModel;
    private final EmbeddingWire wire;
    private final EmbeddingProvider provider;
    private final EmbedderConfig config;
    private final QueryVectorCache queries;
    private final TokenCounter tokens = new Cl100kTokenCounter();
    private final EmbeddingDurations times;
    private final DistributionSummary batchSize;

    RemoteEmbedder(
            RemoteModel model,
            EmbeddingWire wire,
            EmbeddingProvider provider,
            EmbedderConfig config,
            QueryVectorCache queries,
            MeterRegistry meters) {
        this.model = model;
        this.vectorModel = VectorModelName.withTraits(
                VectorModelName.withDocumentPrefix(model.name(), config.documentsBegin()), model.traits());
        this.wire = wire;
        this.provider = provider;
        this.config = config;
        this.queries = queries;
        this.times = EmbeddingDurations.of(meters, model.name());
        this.batchSize = DistributionSummary.builder(MetricNames.EMBEDDING_BATCH_SIZE)
                .description("Texts in one request to a provider")
                .tag("model", model.name())
                .register(meters);
    }

    @Override
    public String model() {
        return vectorModel;
    }

    @Override
    public int dimension() {
        return model.dimension();
    }

    @Override
    public int maxTokens() {
        return model.maxTokens();
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
        if (provider.paused()) {
            return new ModelReadiness.Failed("the embedding provider of " + model.name() + " does not answer");
        }
        return provider.keyRefused()
                ? new ModelReadiness.Failed("the embedding provider of " + model.name()
                        + " refuses the key; the operator has to check the embedder's apiKey")
                : new ModelReadiness.Ready();
    }

    @Override
    public Future<Void> warmUp() {
        return Future.succeededFuture();
    }

    @Override
    public Optional<Future<Health>> check() {
        return Optional.of(provider.check()
                .map(answer -> checked(answer, 1))
                .map(_ -> Health.up())
                .otherwise(failure -> Health.down(String.valueOf(failure.getMessage())
                        .replace(
                                EmbeddingProvider.LATER,
                                "Check url of the embedder, and whether the provider runs there."))));
    }

    @Override
    public Future<float[]> embedQuery(String text) {
        return queries.get(text, unknown -> embed(
                        List.of(config.queriesBegin() + unknown), EmbeddingWire.InputType.QUERY, times.query())
                .map(List::getFirst));
    }

    @Override
    public Future<List<float[]>> embedDocuments(List<String> texts, EmbedListener listener) {
        return rest(texts, new ArrayList<>(texts.size()), listener);
    }

    private Future<List<float[]>> rest(List<String> texts, List<float[]> done, EmbedListener listener) {
        if (done.size() == texts.size()) {
            return Future.succeededFuture(List.copyOf(done));
        }
        if (listener.cancelled()) {
            return Future.failedFuture(
                    new ToolException(FailureKind.CANCELLED, "The embedding of documents was cancelled."));
        }
        List<String> batch = texts.subList(done.size(), Math.min(texts.size(), done.size() + config.batch())).stream()
                .map(text -> config.documentsBegin() + text)
                .toList();
        return embed(batch, EmbeddingWire.InputType.DOCUMENT, times.document()).compose(vectors -> {
            done.addAll(vectors);
            listener.embedded(done.size());
            return rest(texts, done, listener);
        });
    }

    private Future<List<float[]>> embed(List<String> texts, EmbeddingWire.InputType use, Timer timer) {
        long start = System.nanoTime();
        batchSize.record(texts.size());
        List<String> sent = texts.stream().map(this::cut).toList();
        return provider.post(wire.request(sent, use), tooMuch(sent)).map(answer -> {
            timer.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            return checked(answer, texts.size());
        });
    }

    private List<float[]> checked(JsonNode answer, int expected) {
        List<float[]> vectors = wire.vectors(answer);
        if (vectors.size() != expected) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    wire.provider() + " answered " + vectors.size() + " vectors for " + expected + " texts. "
                            + EngineMessageSanitizer.LATER);
        }
        for (float[] vector : vectors) {
            if (vector.length != model.dimension()) {
                throw new ToolException(
                        FailureKind.UNAVAILABLE,
                        "The model " + model.name() + " gives vectors of " + vector.length + " numbers, but "
                                + model.dimension() + " are expected. The operator has to set dimension: "
                                + vector.length + " for this embedder, or choose another model.");
            }
            L2Normalizer.of(vector);
        }
        return vectors;
    }

    /** Advice for callers if the provider refuses the texts. Providers' own messages seldom name the limit. */
    private String tooMuch(List<String> sent) {
        int longest = sent.stream().mapToInt(String::length).max().orElse(0);
        return "The longest of the texts sent has " + longest + " characters; the model is configured to take "
                + model.maxTokens()
                + " tokens of each. Give less text, or ask the operator to check maxTokens and model"
                + " of the embedder.";
    }

    /** Cuts a text at the model's limit. No token is shorter than a third of a UTF-16 unit. */
    private String cut(String text) {
        if (text.length() * 3L <= model.maxTokens()) {
            return text;
        }
        int[] starts = tokens.starts(text);
        return starts.length <= model.maxTokens() ? text : text.substring(0, starts[model.maxTokens()]);
    }

    @Override
    public Future<Void> close() {
        return provider.close();
    }
}
