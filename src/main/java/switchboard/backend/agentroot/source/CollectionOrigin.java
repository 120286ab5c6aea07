package switchboard.backend.agentroot.source;

import java.util.Map;
import java.util.Optional;

/**
 * Where a collection's documents come from.
 *
 * @param path folder, file or URL
 * @param pattern which of it, by {@link switchboard.backend.agentroot.text.PathGlob}
 * @param options the provider's own
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
