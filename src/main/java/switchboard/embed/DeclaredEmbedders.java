package switchboard.embed;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which embedders made the vectors of which sources, as the operator declares it for searches over all backends. A backend
 * keeps to it in its own tools as well: a source has one model, whoever asks.
 *
 * @param byPlace names of embedders by backend id, or by {@code <backend>:<source>}
 */
public record DeclaredEmbedders(Map<String, String> byPlace) {
    /** Nothing is declared. */
    public static final DeclaredEmbedders NONE = new DeclaredEmbedders(Map.of());

    /** Stands between a backend's id and a source's name. */
    public static final String SEPARATOR = ":";

    public DeclaredEmbedders {
        byPlace = Map.copyOf(byPlace);
    }

    /** The embedder of those sources of the backend {@code id} that are not named themselves. */
    public Optional<String> usual(String id) {
        return Optional.ofNullable(byPlace.get(id));
    }

    /** The embedders of the sources of the backend {@code id} that are named, by the sources' names. */
    public Map<String, String> sources(String id) {
        String prefix = id + SEPARATOR;
        return byPlace.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .collect(Collectors.toUnmodifiableMap(
                        entry -> entry.getKey().substring(prefix.length()), Map.Entry::getValue));
    }
}
