package switchboard.testing;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.embed.ModelReadiness;
import switchboard.embed.TokenCounter;

/** An embedder for tests: each word adds to one of a few dimensions. It can be told to fail, to wait, to be renamed. */
public final class WordEmbedder implements Embedder {
    private static final int DIMENSION = 64;

    private final AtomicInteger embedded = new AtomicInteger();
    private final UnaryOperator<String> meaning;
    private volatile String model = "words-64";
    private volatile @Nullable String failure;
    private volatile Future<Void> gate = Future.succeededFuture();

    /** An embedder to which each word means itself. */
    public WordEmbedder() {
        this(UnaryOperator.identity());
    }

    /** An embedder to which a word means what {@code meaning} makes of it. */
    public WordEmbedder(UnaryOperator<String> meaning) {
        this.meaning = meaning;
    }

    /** Fails from now on with that reason; null for no more. */
    public void failWith(@Nullable String reason) {
        failure = reason;
    }

    /** Embeds no document before the signal. */
    public void waitFor(Future<Void> signal) {
        gate = signal;
    }

    /** Becomes another model. */
    public void rename(String name) {
        model = name;
    }

    /** How many documents' texts were embedded so far. */
    public int embedded() {
        return embedded.get();
    }

    @Override
    public String model() {
        return model;
    }

    @Override
    public int dimension() {
        return DIMENSION;
    }

    @Override
    public int maxTokens() {
        return 510;
    }

    @Override
    public TokenCounter tokens() {
        return text -> {
            List<Integer> starts = new ArrayList<>();
            for (int i = 0; i < text.length(); i++) {
                boolean word = !Character.isWhitespace(text.charAt(i));
                if (word && (i == 0 || Character.isWhitespace(text.charAt(i - 1)) || i % 8 == 0)) {
                    starts.add(i);
                }
            }
            return starts.stream().mapToInt(Integer::intValue).toArray();
        };
    }

    @Override
    public ModelReadiness readiness() {
        String reason = failure;
        return reason == null ? new ModelReadiness.Ready() : new ModelReadiness.Failed(reason);
    }

    @Override
    public Future<Void> warmUp() {
        return Future.succeededFuture();
    }

    @Override
    public Future<float[]> embedQuery(String text) {
        return checked().map(_ -> vector(text));
    }

    @Override
    public Future<List<float[]>> embedDocuments(List<String> texts, EmbedListener listener) {
        return gate.compose(_ -> checked()).map(_ -> {
            List<float[]> vectors = new ArrayList<>();
            for (String text : texts) {
                if (listener.cancelled()) {
                    throw new ToolException(FailureKind.CANCELLED, "cancelled");
                }
                vectors.add(vector(text));
                embedded.incrementAndGet();
                listener.embedded(vectors.size());
            }
            return vectors;
        });
    }

    private Future<Void> checked() {
        String reason = failure;
        return reason == null
                ? Future.succeededFuture()
                : Future.failedFuture(new ToolException(FailureKind.UNAVAILABLE, reason));
    }

    private float[] vector(String text) {
        float[] vector = new float[DIMENSION];
        vector[0] = 0.01f;
        for (String word : text.toLowerCase(Locale.ROOT).split("\\W+")) {
            vector[Math.floorMod(meaning.apply(word).hashCode(), DIMENSION)] += 1;
        }
        double length = 0;
        for (float value : vector) {
            length += value * value;
        }
        for (int i = 0; i < DIMENSION; i++) {
            vector[i] /= (float) Math.sqrt(length);
        }
        return vector;
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
