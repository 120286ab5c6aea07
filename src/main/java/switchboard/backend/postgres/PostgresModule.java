package switchboard.backend.postgres;

import com.github.benmanes.caffeine.cache.Ticker;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.embed.Embedders;

/** Backend type {@code postgres}: PostgreSQL with pgvector. */
public final class PostgresModule implements BackendModule<PostgresSettings> {
    private final Embedders embedders;
    private final Ticker ticker;

    /** A module whose instances use {@code embedders}. */
    public PostgresModule(Embedders embedders) {
        this(embedders, Ticker.systemTicker());
    }

    PostgresModule(Embedders embedders, Ticker ticker) {
        this.embedders = embedders;
        this.ticker = ticker;
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
        TableEmbedders chosen = new TableEmbedders(settings, services.embedders(), id, embedders);
        ConnectionProfiles connectionProfiles =
                new ConnectionProfiles(settings, new ConnectionProfileFactory(id, services, settings));
        RoleCheck roles = new RoleCheck(settings.access().allowPrivileged());
        DatabaseAccess databaseAccess = new DatabaseAccess(settings, connectionProfiles, roles);
        return new PostgresBackend(settings, databaseAccess, roles, services.clock(), ticker, chosen);
    }
}
