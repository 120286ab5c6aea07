package switchboard.protocol;

import java.util.Optional;
import java.util.function.Predicate;
import switchboard.catalog.ResourceAliases;
import switchboard.catalog.View;

/**
 * The backends that may have a resource, and what they call it.
 *
 * @param backends accepts the ids of these backends
 * @param uri the resource's URI or URI template at these backends
 */
public record ResourceRoute(Predicate<String> backends, String uri) {
    /**
     * The route to what {@code view} calls {@code uri}. The gateway's own backends come first, so that no other server can
     * take their URIs; then the server that lists it; then every server that could have it.
     */
    public static ResourceRoute of(View view, BackendCapabilities capabilities, String uri) {
        Predicate<String> own = id -> !capabilities.relayed(id) && capabilities.owns(id, uri);
        if (view.backends().stream().anyMatch(own)) {
            return new ResourceRoute(own, uri);
        }
        Optional<ResourceAliases.OwnedResource> owner =
                view.aliases().owner(uri).filter(listed -> capabilities.owns(listed.backend(), listed.uri()));
        return owner.map(listed -> new ResourceRoute(listed.backend()::equals, listed.uri()))
                .orElseGet(() -> new ResourceRoute(id -> capabilities.owns(id, uri), uri));
    }
}
