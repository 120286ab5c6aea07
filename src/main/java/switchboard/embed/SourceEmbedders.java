package switchboard.embed;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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

    /** Those that {@code names} says, by source; {@code find} knows embedders by their names. */
    public static SourceEmbedders of(
            Map<String, String> names, Optional<String> usual, Function<String, Optional<Embedder>> find) {
        Map<String, Optional<Embedder>> bySource = new HashMap<>();
        names.forEach((source, name) -> bySource.put(source, find.apply(name)));
        return new SourceEmbedders(bySource, usual.flatMap(find));
    }

    /** The model of {@code source}; empty for none. */
    public Optional<Embedder> of(String source) {
        return bySource.getOrDefault(source, usual);
    }
}
