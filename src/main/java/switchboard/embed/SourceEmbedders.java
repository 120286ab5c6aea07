package switchboard.embed;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The embedding models of a backend's collections or indexes. Immutable.
 *
 * @param bySource models of sources that are declared; empty for sources without vectors
 * @param usual the model of the others
 */
public record SourceEmbedders(Map<String, Optional<Embedder>> bySource, Optional<Embedder> usual) {
    public SourceEmbedders {
        bySource = Map.copyOf(bySource);
    }

    /**
     * The models of the backend {@code id}.
     *
     * @param own the name of the backend's own embedder, or null if it has none
     * @param find finds embedders by name
     */
    public static SourceEmbedders of(
            DeclaredEmbedders declared, String id, @Nullable String own, Function<String, Optional<Embedder>> find) {
        Map<String, Optional<Embedder>> bySource = new HashMap<>();
        declared.sources(id).forEach((source, name) -> bySource.put(source, find.apply(name)));
        Optional<String> usual = declared.usual(id).or(() -> Optional.ofNullable(own));
        return new SourceEmbedders(bySource, usual.flatMap(find));
    }

    /** The model of {@code source}; empty for none. */
    public Optional<Embedder> of(String source) {
        return bySource.getOrDefault(source, usual);
    }
}
