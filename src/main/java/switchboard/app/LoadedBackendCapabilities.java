package switchboard.app;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import switchboard.backend.Backend;
import switchboard.backend.ResourceProvider;
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
    public Optional<String> trouble(String backendId) {
        return provider(backendId, Backend::trouble);
    }

    private <P> Optional<P> provider(String backendId, Function<Backend, Optional<P>> offer) {
        return Optional.ofNullable(byId.get(backendId)).flatMap(offer);
    }
}
