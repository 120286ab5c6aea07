package switchboard.backend.postgres;

import java.util.Optional;
import java.util.function.Function;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.embed.Embedders;

/** Backend type {@code postgres}: PostgreSQL with pgvector. */
public final class PostgresModule implements BackendModule<PostgresSettings> {
    private final Function<BackendServices, Embedders> embedders;

    /** A module whose instances choose from {@code embedders}, asked for when an instance is made. */
    public PostgresModule(Function<BackendServices, Embedders> embedders) {
        this.embedders = embedders;
    }

    @Override
    public String type() {
        return "postgres";
    }

    @Override
    public Class<PostgresSettings> settingsType() {
        return PostgresSettings.class;
    }

    @Override
    public Backend create(String id, PostgresSettings settings, BackendServices services) {
        Optional<Embedders.Named> embedder = embedders.apply(services).find(settings.embedder());
        Targets targets = new Targets(settings, new TargetFactory(services.vertx(), settings));
        RoleCheck roles = new RoleCheck(settings.access().allowPrivileged());
        Engine engine = new Engine(settings, targets, roles);
        return new PostgresBackend(settings, engine, roles, embedder);
    }
}
