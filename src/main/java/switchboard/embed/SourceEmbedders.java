package switchboard.embed;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which model made the vectors of which of a backend's collections or indexes. Immutable.
 *
 * @param bySource those of sources that are named; empty for sources without vectors
 * @param usual that of the others
 */
public record SourceEmbedders(Map<String, Optional<Embedder>> bySource, Optional<Embedder> usual) {
    public SourceEmbedders {
        bySource = Map.copyOf(bySource);
    }

    /**
     * Those of the backend {@code id}.
     *
     * @param own the name of the backend's own, or null if it has none
     * @param find knows embedders by their names
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
