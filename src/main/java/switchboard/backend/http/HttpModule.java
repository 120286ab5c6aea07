package switchboard.backend.http;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.call.Health;
import switchboard.upstream.AuthorizedClient;
import switchboard.upstream.OAuthTokens;
import switchboard.upstream.UpstreamClient;

/** The backend type {@code http}. It has no tools of its own: {@code search_everywhere} and {@code fetch_document} use it. */
public final class HttpModule implements BackendModule<HttpSettings> {
    @Override
    public String type() {
        return "http";
    }

    @Override
    public Class<HttpSettings> settingsType() {
        return HttpSettings.class;
    }

    @Override
    public Backend create(String id, HttpSettings settings, BackendServices services) {
        UpstreamClient client = UpstreamClient.withSecrets(
                id, settings.url(), settings.connection(), settings.headers(), services.upstream());
        Optional<OAuthTokens> tokens = Optional.ofNullable(settings.oauth())
                .map(oauth -> new OAuthTokens(
                        id,
                        oauth,
                        settings.url(),
                        settings.connection(),
                        services.upstream(),
                        services.callerTokens()));
        AuthorizedClient authorized = new AuthorizedClient(client, tokens);
        return new HttpBackend(client, Optional.of(new HttpSources(id, settings.sources(), authorized)));
    }

    /** A server with declared searches. Whether it answers is known only from searches. */
    private record HttpBackend(UpstreamClient client, Optional<SearchProvider> search) implements Backend {
        @Override
        public List<ToolHandler<?>> tools() {
            return List.of();
        }

        @Override
        public Future<Health> health() {
            // Never down: a gateway that is not ready for that reason gets no searches, which alone could show that it
            // is over.
            return Future.succeededFuture(
                    client.paused()
                            ? Health.degraded("most of its last searches failed or got no answer in time")
                            : Health.up("up, as far as searches tell"));
        }

        @Override
        public Future<Void> stop() {
            return client.close();
        }
    }
}
