package switchboard.embed;

import io.vertx.core.Future;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import switchboard.call.Health;

/**
 * Turns texts into vectors of one model. Vectors have unit length, so that the dot product is the cosine. The same text
 * gives the same vector whatever else is embedded at the time.
 *
 * <p>Thread-safe; nothing here blocks except {@link #tokens} as documented there. Nothing is loaded or connected before
 * it is needed. Failures are {@link switchboard.call.ToolException}: {@code UNAVAILABLE} when the model can't be loaded
 * or reached, {@code OVERLOADED} when too many texts wait, {@code CANCELLED} when the listener said so.
 */
public interface Embedder {
    /** The model's name, kept with every vector; two embedders of one name give comparable vectors. */
    String model();

    /** How many numbers a vector has; known without loading anything. */
    int dimension();

    /**
     * The longest input in tokens of {@link #tokens}, without the model's own marks around the text. What is longer is
     * cut at its end.
     */
    int maxTokens();

    /** The scripts that the model was trained on. */
    default Scripts scripts() {
        return Scripts.ALL;
    }

    /** Counts tokens as this model does; the first call may load a vocabulary, so call it off the event loops. */
    TokenCounter tokens();

    /** Whether vectors can be had now. */
    ModelReadiness readiness();

    /**
     * Asks for a vector now, past caches and past the rest that a failing provider is given; empty where the model runs in
     * this process. The future never fails: it says why there is no vector, and what the operator can do.
     */
    default Optional<Future<Health>> check() {
        return Optional.empty();
    }

    /** Loads or connects in the background, once; later calls give the same future. It fails with the reason. */
    Future<Void> warmUp();

    /** The vector to search with. */
    Future<float[]> embedQuery(String text);

    /** The vectors to be found by, in the order of {@code texts}; all or none. */
    Future<List<float[]>> embedDocuments(List<String> texts, EmbedListener listener);

    /**
     * The vectors of those {@code texts} that are in a script of the model, in their order; the others have none, as their
     * vectors would only mislead. All or none.
     */
    default Future<List<Optional<float[]>>> embedReadable(List<String> texts, EmbedListener listener) {
        List<String> readable = texts.stream().filter(scripts()::include).toList();
        if (readable.size() == texts.size()) {
            return embedDocuments(texts, listener)
                    .map(vectors -> vectors.stream().map(Optional::of).toList());
        }
        Future<List<float[]>> made =
                readable.isEmpty() ? Future.succeededFuture(List.of()) : embedDocuments(readable, listener);
        return made.map(vectors -> {
            Iterator<float[]> next = vectors.iterator();
            return texts.stream()
                    .map(text -> scripts().include(text) ? Optional.of(next.next()) : Optional.<float[]>empty())
                    .toList();
        });
    }

    /** Lets go of the model; later calls fail with {@code UNAVAILABLE}. */
    Future<Void> close();
}
