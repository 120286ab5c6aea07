package switchboard.backend.vectordb;

import java.util.Optional;
import switchboard.embed.Embedders;
import switchboard.fetch.GuardedFetcher;
import switchboard.fetch.HostResolver;
import switchboard.store.HeldStores;

/** The backend on {@link HeldStores}. */
public final class HeldVectordb {
    private HeldVectordb() {}

    /** Its module. */
    public static VectordbModule module(Embedders embedders, HeldStores stores) {
        return new VectordbModule(
                embedders,
                Optional.empty(),
                "switchboard/test",
                (services, policy) ->
                        new GuardedFetcher(services.vertx(), policy, HostResolver.SYSTEM, services.share()),
                stores::open);
    }
}
