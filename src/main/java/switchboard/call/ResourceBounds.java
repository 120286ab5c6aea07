package switchboard.call;

import java.util.Map;
import java.util.Set;

/**
 * The restriction of each backend's resources by a view, for all callers. Immutable.
 *
 * @param scopes by backend, the allowed resources; a missing backend is not restricted
 * @param withheld backends whose resources the view does not offer at all, although it has tools of theirs
 */
public record ResourceBounds(Map<String, ResourceScope> scopes, Set<String> withheld) {
    /** No restriction. */
    public static final ResourceBounds NONE = new ResourceBounds(Map.of(), Set.of());

    public ResourceBounds {
        scopes = Map.copyOf(scopes);
        withheld = Set.copyOf(withheld);
    }

    /** The resources that tools and prompts of {@code backend} may use. */
    public ResourceScope of(String backend) {
        return scopes.getOrDefault(backend, ResourceScope.ALL);
    }

    /** The resources of {@code backend} that may be listed, completed, searched or read without its own tools. */
    public ResourceScope offered(String backend) {
        return withheld.contains(backend) ? ResourceScope.NOTHING : of(backend);
    }
}
