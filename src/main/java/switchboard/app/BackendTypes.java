package switchboard.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import switchboard.backend.BackendModule;
import switchboard.backend.agentroot.AgentrootModule;
import switchboard.backend.http.HttpModule;
import switchboard.backend.mcp.McpModule;
import switchboard.backend.meilisearch.MeilisearchModule;
import switchboard.backend.opensearch.OpenSearchModule;
import switchboard.backend.postgres.PostgresModule;
import switchboard.backend.vectordb.VectordbModule;
import switchboard.backend.weaviate.WeaviateModule;

/** The backend types that a gateway knows. */
@FunctionalInterface
public interface BackendTypes {
    /** One module for each type. Modules that need a model take it from {@code modelServices}. */
    List<BackendModule<?>> modules(ModelServices modelServices);

    /** The backend types of this build. */
    static BackendTypes shipped() {
        String userAgent = "switchboard/" + Installation.version();
        return modelServices -> List.of(
                new AgentrootModule(modelServices.embedders(), modelServices.llm(), userAgent),
                new HttpModule(),
                new McpModule(),
                new MeilisearchModule(modelServices.embedders()::embedder),
                new OpenSearchModule(modelServices.embedders()::embedder),
                new PostgresModule(modelServices.embedders()),
                new VectordbModule(modelServices.embedders(), modelServices.reranking(), userAgent),
                new WeaviateModule(modelServices.embedders()));
    }

    /** These types and those of {@code more}. */
    default BackendTypes and(List<BackendModule<?>> more) {
        return modelServices -> {
            List<BackendModule<?>> all = new ArrayList<>(modules(modelServices));
            all.addAll(more);
            return List.copyOf(all);
        };
    }

    /** The names of the types, sorted. */
    default List<String> names() {
        return settings().keySet().stream().sorted().toList();
    }

    /** For each type, the record that its configuration is read into. */
    default Map<String, Class<? extends Record>> settings() {
        return modules(ModelServices.none()).stream()
                .collect(Collectors.toMap(BackendModule::type, BackendModule::settingsType));
    }
}
