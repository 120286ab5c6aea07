package switchboard.backend.agentroot.source;

import java.util.Map;
import java.util.Optional;

/**
 * The source of a collection's documents.
 *
 * @param path folder, file or URL
 * @param pattern selects a part of it, see {@link switchboard.backend.agentroot.text.PathGlob}
 * @param options options of the provider
 */
public record CollectionOrigin(String path, String pattern, Map<String, String> options) {
    public CollectionOrigin {
        options = Map.copyOf(options);
    }

    /** An option's value. */
    Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name)).filter(value -> !value.isBlank());
    }
}
