package switchboard.testing;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.embed.ModelLanguages;
import switchboard.embed.ModelReadiness;
import switchboard.embed.ModelTraits;
import switchboard.embed.TokenCounter;

/** A model whose vectors are calculated on the spot, a character a token; it remembers what it was asked for. */
public final class CalculatedEmbedder implements Embedder {
    private final String model;
    private final int dimension;
    private final int maxTokens;
    private final Function<String, float[]> vectors;
    private final ModelTraits traits;
    private final List<String> texts = new CopyOnWriteArrayList<>();

    /** A model of that name, with vectors of {@code dimension} numbers as {@code vectors} has them. */
    public CalculatedEmbedder(String model, int dimension, Function<String, float[]> vectors) {
        this(model, dimension, 512, vectors);
    }

    /** The same with another longest input in tokens, which are characters. It is said, but nothing is cut. */
    public CalculatedEmbedder(String model, int dimension, int maxTokens, Function<String, float[]> vectors) {
        this(model, dimension, maxTokens, vectors, ModelTraits.UNKNOWN);
    }

    private CalculatedEmbedder(
            String model, int dimension, int maxTokens, Function<String, float[]> vectors, ModelTraits traits) {
        this.model = model;
        this.dimension = dimension;
        this.maxTokens = maxTokens;
        this.vectors = vectors;
        this.traits = traits;
    }

    /** The same model, which reads these languages only. */
    public CalculatedEmbedder reading(ModelLanguages languages) {
        return new CalculatedEmbedder(
                model, dimension, maxTokens, vectors, new ModelTraits(languages, Optional.empty()));
    }

    /** The same model, where sentences have vectors, too. */
    public CalculatedEmbedder withSentences() {
        return new CalculatedEmbedder(model, dimension, maxTokens, vectors, traits.withSentences());
    }

    /** A model to which all texts are the same. */
    public static CalculatedEmbedder constant(float... vector) {
        return new CalculatedEmbedder("fixed", vector.length, _ -> vector.clone());
    }

    /** A model that counts characters by the remainder of their codes: equal texts have equal vectors. */
    public static CalculatedEmbedder ofCharacters(int dimension) {
        return new CalculatedEmbedder("letters", dimension, text -> {
            float[] vector = new float[dimension];
            text.chars().forEach(character -> vector[character % dimension] += 1);
            return vector;
        });
    }

    /** What it makes of {@code text}, without being asked. */
    public float[] vector(String text) {
        return vectors.apply(text);
    }

    /** What it was asked to embed so far. */
    public List<String> texts() {
        return List.copyOf(texts);
    }

    @Override
    public String model() {
        return model;
    }

    @Override
    public int dimension() {
        return dimension;
    }

    @Override
    public int maxTokens() {
        return maxTokens;
    }

    @Override
    public ModelTraits traits() {
        return traits;
    }

    @Override
    public TokenCounter tokens() {
        return text -> IntStream.range(0, text.length()).toArray();
    }

    @Override
    public ModelReadiness readiness() {
        return new ModelReadiness.Ready();
    }

    @Override
    public Future<Void> warmUp() {
        return Future.succeededFuture();
    }

    @Override
    public Future<float[]> embedQuery(String text) {
        texts.add(text);
        return Future.succeededFuture(vector(text));
    }

    @Override
    public Future<List<float[]>> embedDocuments(List<String> documents, EmbedListener listener) {
        texts.addAll(documents);
        IntStream.rangeClosed(1, documents.size()).forEach(listener::embedded);
        return Future.succeededFuture(documents.stream().map(this::vector).toList());
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
