package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.List;
import switchboard.backend.embedded.NamespaceSearch;
import switchboard.call.Caller;
import switchboard.store.Namespace;

/**
 * Makes collections searchable together with sources of other backends.
 *
 * @param registry the collections
 */
record CollectionResolver(CollectionRegistry registry) implements NamespaceSearch.NamespaceResolver {
    @Override
    public Future<List<Namespace>> visible(Caller caller) {
        return registry.reading(null, caller);
    }

    @Override
    public Future<NamespaceSearch.ReadableNamespace> named(String name, Caller caller) {
        return registry.require(name, caller)
                .map(found ->
                        new NamespaceSearch.ReadableNamespace(registry.namespace(found.name(), caller), found.allow()));
    }

    @Override
    public String about(Namespace namespace) {
        return "Collection of a knowledge base";
    }
}
