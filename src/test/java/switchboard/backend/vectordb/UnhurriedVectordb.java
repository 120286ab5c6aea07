package switchboard.backend.vectordb;

import java.util.Optional;
import switchboard.embed.Embedders;
import switchboard.fetch.GuardedFetcher;
import switchboard.fetch.HostResolver;
import switchboard.store.UnhurriedStores;

/** The backend on {@link UnhurriedStores}. */
public final class UnhurriedVectordb {
    private UnhurriedVectordb() {}

    /** Its module. */
    public static VectordbModule module(Embedders embedders) {
        return new VectordbModule(
                embedders,
                Optional.empty(),
                "switchboard/test",
                (services, policy) ->
                        new GuardedFetcher(services.vertx(), policy, HostResolver.SYSTEM, services.share()),
                (settings, services) -> UnhurriedStores.open(
                                services.vertx(), services.meters(), services.clock(), settings)
                        .map(store -> store));
    }
}
