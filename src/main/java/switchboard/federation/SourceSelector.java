package switchboard.federation;

import java.util.List;
import switchboard.call.ResourceScope;

/**
 * The {@code sources} argument: globs for {@code <backend>} or {@code <backend>:<source>}. Without any, all sources
 * are searched.
 *
 * @param globs as given
 */
record SourceSelector(List<String> globs) {
    SourceSelector {
        globs = List.copyOf(globs);
    }

    /** Whether the backend may have a matching source. */
    boolean concerns(String backend) {
        return globs.isEmpty()
                || globs.stream().anyMatch(glob -> {
                    int colon = glob.indexOf(':');
                    String part = colon < 0 ? glob : glob.substring(0, colon);
                    return ResourceScope.anyOf(List.of(part)).allows(backend);
                });
    }

    /** Whether the source matches. */
    boolean accepts(SearchSource source) {
        return globs.isEmpty()
                || globs.stream()
                        .anyMatch(glob -> ResourceScope.anyOf(List.of(glob.indexOf(':') < 0 ? glob + ":*" : glob))
                                .allows(source.label()));
    }
}
