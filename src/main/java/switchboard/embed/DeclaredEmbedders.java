package switchboard.embed;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The embedders that the operator has declared for sources. A backend uses them in its own tools, too, so that a
 * source always has one model.
 *
 * @param byPlace names of embedders by backend id, or by {@code <backend>:<source>}
 */
public record DeclaredEmbedders(Map<String, String> byPlace) {
    /** Nothing is declared. */
    public static final DeclaredEmbedders NONE = new DeclaredEmbedders(Map.of());

    /** Separates a backend's id from a source's name. */
    public static final String SEPARATOR = ":";

    public DeclaredEmbedders {
        byPlace = Map.copyOf(byPlace);
    }

    /** The embedder of those sources of the backend {@code id} that have no declaration of their own. */
    public Optional<String> usual(String id) {
        return Optional.ofNullable(byPlace.get(id));
    }

    /** The embedders of the sources of the backend {@code id} with a declaration of their own, by source name. */
    public Map<String, String> sources(String id) {
        String prefix = id + SEPARATOR;
        return byPlace.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .collect(Collectors.toUnmodifiableMap(
                        entry -> entry.getKey().substring(prefix.length()), Map.Entry::getValue));
    }
}
