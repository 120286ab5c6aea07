package switchboard.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import switchboard.backend.BackendModule;
import switchboard.backend.agentroot.AgentrootModule;
import switchboard.backend.meilisearch.MeilisearchModule;
import switchboard.backend.postgres.PostgresModule;
import switchboard.backend.vectordb.VectordbModule;
import switchboard.backend.weaviate.WeaviateModule;
import switchboard.embed.Embedders;

/** The backend types that a gateway knows. */
@FunctionalInterface
public interface BackendTypes {
    /** One module for each type; those that need vectors get them from {@code embedders}. */
    List<BackendModule<?>> modules(Embedders embedders);

    /** The types of this build. */
    static BackendTypes shipped() {
        return embedders -> List.of(
                new AgentrootModule(embedders),
                new MeilisearchModule(name -> embedders.find(name).map(Embedders.Named::embedder)),
                new PostgresModule(embedders),
                new VectordbModule(embedders, "switchboard/" + Installation.version()),
                new WeaviateModule(embedders));
    }

    /** These types and {@code more}. */
    default BackendTypes and(List<BackendModule<?>> more) {
        return embedders -> {
            List<BackendModule<?>> all = new ArrayList<>(modules(embedders));
            all.addAll(more);
            return List.copyOf(all);
        };
    }

    /** The names of the types, sorted. */
    default List<String> names() {
        return settings().keySet().stream().sorted().toList();
    }

    /** By type, the record of the settings that the configuration of its backends is read into. */
    default Map<String, Class<? extends Record>> settings() {
        return modules(Embedders.none()).stream()
                .collect(Collectors.toMap(BackendModule::type, BackendModule::settingsType));
    }
}
