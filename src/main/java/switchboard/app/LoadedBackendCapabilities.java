package switchboard.app;

import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import switchboard.backend.Backend;
import switchboard.backend.ResourceProvider;
import switchboard.call.Caller;
import switchboard.protocol.BackendCapabilities;

/** Says which backends have resources and prompts, for the protocol. */
final class LoadedBackendCapabilities implements BackendCapabilities {
    private final Map<String, Backend> byId;

    LoadedBackendCapabilities(List<LoadedBackend> backends) {
        this.byId = backends.stream()
                .collect(Collectors.toUnmodifiableMap(LoadedBackend::id, LoadedBackend::backend, (first, _) -> first));
    }

    @Override
    public boolean resources(String backendId) {
        return provider(backendId, Backend::resources).isPresent();
    }

    @Override
    public boolean owns(String backendId, String uri) {
        return provider(backendId, Backend::resources)
                .map((ResourceProvider resources) -> resources.owns(uri))
                .orElse(false);
    }

    @Override
    public Optional<String> resource(String backendId, String uri) {
        return provider(backendId, Backend::resources).flatMap((ResourceProvider resources) -> resources.resource(uri));
    }

    @Override
    public boolean prompts(String backendId) {
        return provider(backendId, Backend::prompts).isPresent();
    }

    @Override
    public boolean relayed(String backendId) {
        return provider(backendId, Backend::relayedTools).isPresent();
    }

    @Override
    public Map<String, Integer> watchable() {
        Map<String, Integer> most = new HashMap<>();
        byId.keySet().forEach(id -> provider(id, Backend::resources)
                .map(ResourceProvider::watchable)
                .filter(number -> number > 0)
                .ifPresent(number -> most.put(id, number)));
        return most;
    }

    @Override
    public boolean watchable(String backendId, String uri, Caller caller) {
        return provider(backendId, Backend::resources)
                .map((ResourceProvider resources) -> resources.watchable(uri, caller))
                .orElse(false);
    }

    @Override
    public Future<Void> watch(String backendId, Set<String> uris) {
        return provider(backendId, Backend::resources)
                .map((ResourceProvider resources) -> resources.watch(uris))
                .orElse(Future.succeededFuture());
    }

    @Override
    public Optional<String> trouble(String backendId) {
        return provider(backendId, Backend::trouble);
    }

    private <P> Optional<P> provider(String backendId, Function<Backend, Optional<P>> offer) {
        return Optional.ofNullable(byId.get(backendId)).flatMap(offer);
    }
}
