package switchboard.federation;

import java.util.List;
import switchboard.call.ResourceScope;

/**
 * The {@code sources} argument: globs of {@code <backend>} or {@code <backend>:<source>}; without any, every source.
 *
 * @param globs as given
 */
record SourceChoice(List<String> globs) {
    SourceChoice {
        globs = List.copyOf(globs);
    }

    /** Whether the backend may have a source that is meant. */
    boolean concerns(String backend) {
        return globs.isEmpty()
                || globs.stream().anyMatch(glob -> {
                    int colon = glob.indexOf(':');
                    String part = colon < 0 ? glob : glob.substring(0, colon);
                    return ResourceScope.anyOf(List.of(part)).allows(backend);
                });
    }

    /** Whether the source is meant. */
    boolean accepts(SearchSource source) {
        return globs.isEmpty()
                || globs.stream()
                        .anyMatch(glob -> ResourceScope.anyOf(List.of(glob.indexOf(':') < 0 ? glob + ":*" : glob))
                                .allows(source.label()));
    }
}
