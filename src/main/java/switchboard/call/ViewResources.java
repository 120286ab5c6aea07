package switchboard.call;

import java.util.Map;
import java.util.Set;

/**
 * The resources of each backend that a view offers, whoever the caller is. Immutable.
 *
 * @param scopes by backend, the allowed resources; a missing backend is not restricted
 * @param withheld backends whose resources the view does not offer at all, although it has tools of theirs
 */
public record ViewResources(Map<String, ResourceScope> scopes, Set<String> withheld) {
    /** All resources of all backends. */
    public static final ViewResources NONE = new ViewResources(Map.of(), Set.of());

    public ViewResources {
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
