package switchboard.store;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.embed.ModelReadiness;

/**
 * The embedding models of one namespace: each chunk gets its vector from the model of its language, if there is one, or from
 * the usual one. Immutable.
 *
 * @param usual the model of texts in other languages; empty for none
 * @param byLanguage models by the codes of languages, as {@link TextLanguage} has them; sorted
 */
public record ChunkEmbedders(Optional<Embedder> usual, Map<String, Embedder> byLanguage) {
    /** No vectors. */
    public static final ChunkEmbedders NONE = new ChunkEmbedders(Optional.empty(), Map.of());

    public ChunkEmbedders {
        byLanguage = Collections.unmodifiableMap(new TreeMap<>(byLanguage));
    }

    /** One model for all texts, or none. */
    public static ChunkEmbedders of(Optional<Embedder> embedder) {
        return new ChunkEmbedders(embedder, Map.of());
    }

    /** Whether there is no model. */
    public boolean isEmpty() {
        return usual.isEmpty() && byLanguage.isEmpty();
    }

    /** Each model once, the usual one first. */
    public Set<Embedder> distinct() {
        Set<Embedder> all = new LinkedHashSet<>();
        usual.ifPresent(all::add);
        all.addAll(byLanguage.values());
        return all;
    }

    /**
     * What documents remember of the models that made their vectors, so that those that others made are found: the usual
     * model's name, and those of the languages ({@code e5-small, zh: bge-small-zh}). Empty if there is no model.
     */
    public Optional<String> name() {
        String name = Stream.concat(
                        usual.map(Embedder::model).stream(),
                        byLanguage.entrySet().stream()
                                .map(entry ->
                                        entry.getKey() + ": " + entry.getValue().model()))
                .collect(Collectors.joining(", "));
        return isEmpty() ? Optional.empty() : Optional.of(name);
    }

    /**
     * The model of a text: that of its language, or the usual one, or any other; the first of them that knows its script.
     * Empty if none does.
     */
    public Optional<Embedder> of(String text) {
        if (byLanguage.isEmpty()) {
            return usual.filter(model -> reads(model, text));
        }
        return Stream.of(
                        TextLanguage.of(text).map(byLanguage::get).stream(),
                        usual.stream(),
                        byLanguage.values().stream().filter(model -> !model.traits()
                                .languages()
                                .scripts()
                                .known()
                                .isEmpty()))
                .flatMap(models -> models)
                .filter(model -> reads(model, text))
                .findFirst();
    }

    /** Whether a model knows the script of a text. */
    static boolean reads(Embedder model, String text) {
        return model.traits().languages().scripts().cover(text);
    }

    /** The model whose tokens are counted where {@code text} is cut into chunks; empty if there is no model. */
    public Optional<Embedder> counting(String text) {
        return of(text).or(() -> distinct().stream().findFirst());
    }

    /** The longest chunk in tokens that each of the models takes. */
    public int maxTokens() {
        return distinct().stream().mapToInt(Embedder::maxTokens).min().orElse(Integer.MAX_VALUE);
    }

    /** Whether one of the models can't be used now. */
    public boolean down() {
        return distinct().stream().anyMatch(model -> model.readiness() instanceof ModelReadiness.Failed);
    }

    /**
     * The vectors of {@code texts}, each of the text's model, in order; none for a text in a script that no model knows. All
     * or none.
     *
     * @param listener called with the number of texts so far; may cancel
     */
    public Future<List<Optional<Chunk.ChunkVector>>> embed(List<SearchedText> texts, EmbedListener listener) {
        Map<Embedder, List<Integer>> indexes = new LinkedHashMap<>();
        for (int i = 0; i < texts.size(); i++) {
            int index = i;
            of(texts.get(i).whole()).ifPresent(model -> indexes.computeIfAbsent(model, _ -> new ArrayList<>())
                    .add(index));
        }
        List<Optional<Chunk.ChunkVector>> vectors =
                new ArrayList<>(Collections.nCopies(texts.size(), Optional.empty()));
        Future<Integer> done = Future.succeededFuture(0);
        for (Map.Entry<Embedder, List<Integer>> entry : indexes.entrySet()) {
            Embedder model = entry.getKey();
            List<Integer> own = entry.getValue();
            done = done.compose(
                    before -> embed(model, own.stream().map(texts::get).toList(), before, listener)
                            .map(made -> {
                                for (int i = 0; i < own.size(); i++) {
                                    vectors.set(own.get(i), Optional.of(made.get(i)));
                                }
                                return before + own.size();
                            }));
        }
        return done.map(_ -> List.copyOf(vectors));
    }

    private static Future<List<Chunk.ChunkVector>> embed(
            Embedder model, List<SearchedText> texts, int before, EmbedListener listener) {
        List<String> all = new ArrayList<>();
        int[] ends = new int[texts.size()];
        for (int i = 0; i < ends.length; i++) {
            all.addAll(texts.get(i).embedded(model));
            ends[i] = all.size();
        }
        return model.embedDocuments(all, ofChunks(before, ends, listener)).map(made -> IntStream.range(0, ends.length)
                .mapToObj(i -> Chunk.ChunkVector.of(model.model(), made.subList(i == 0 ? 0 : ends[i - 1], ends[i])))
                .toList());
    }

    /**
     * Tells {@code listener} of chunks instead of texts.
     *
     * @param before chunks that are done
     * @param ends for each chunk the number of texts up to its last one
     */
    private static EmbedListener ofChunks(int before, int[] ends, EmbedListener listener) {
        return new EmbedListener() {
            @Override
            public void embedded(int done) {
                int last = Arrays.binarySearch(ends, done);
                listener.embedded(before + (last < 0 ? -1 - last : last + 1));
            }

            @Override
            public boolean cancelled() {
                return listener.cancelled();
            }
        };
    }
}
