package switchboard.call;

import java.util.Map;
import java.util.Set;

/**
 * What a view leaves of the resources of each backend, whoever calls. Immutable.
 *
 * @param scopes by backend, the resources that everything on the view is kept to; a backend that is missing is not narrowed
 * @param withheld the backends whose resources the view does not show at all, though it has tools of theirs
 */
public record ResourceBounds(Map<String, ResourceScope> scopes, Set<String> withheld) {
    /** Nothing is left out. */
    public static final ResourceBounds NONE = new ResourceBounds(Map.of(), Set.of());

    public ResourceBounds {
        scopes = Map.copyOf(scopes);
        withheld = Set.copyOf(withheld);
    }

    /** What the tools and prompts of {@code backend} may touch. */
    public ResourceScope of(String backend) {
        return scopes.getOrDefault(backend, ResourceScope.ALL);
    }

    /** What of {@code backend} may be listed, completed, searched or read without one of its own tools. */
    public ResourceScope offered(String backend) {
        return withheld.contains(backend) ? ResourceScope.NOTHING : of(backend);
    }
}
