package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.List;
import switchboard.call.Caller;
import switchboard.store.Space;
import switchboard.store.SpaceSearch;

/**
 * Collections as sources of searches over all backends.
 *
 * @param registry which there are
 */
record CollectionShelf(Registry registry) implements SpaceSearch.Shelf {
    @Override
    public Future<List<Space>> visible(Caller caller) {
        return registry.reading(null, caller);
    }

    @Override
    public Space named(String name, Caller caller) {
        return registry.space(name, caller);
    }

    @Override
    public String about(Space space) {
        return "Collection of a knowledge base";
    }
}
