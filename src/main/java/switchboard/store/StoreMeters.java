package switchboard.store;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToLongFunction;
import switchboard.telemetry.FolderMeters;
import switchboard.telemetry.MetricNames;

/** The gauges of a store: documents, chunks, open and damaged namespaces, and the size and free space of its folder. */
final class StoreMeters {
    private final MeterRegistry meters;
    private final String store;
    private final NamespaceCatalog catalog;

    private StoreMeters(MeterRegistry meters, String store, NamespaceCatalog catalog) {
        this.meters = meters;
        this.store = store;
        this.catalog = catalog;
    }

    /** Registers them with {@code meters}. */
    static void register(MeterRegistry meters, StoreSettings settings, NamespaceCatalog catalog) {
        StoreMeters store = new StoreMeters(meters, settings.name(), catalog);
        store.sum(MetricNames.STORE_DOCUMENTS, "Documents in the store", index -> index.counts()
                .documents());
        store.sum(MetricNames.STORE_CHUNKS, "Chunks in the store", index -> index.counts()
                .chunks());
        store.sum(
                MetricNames.STORE_OPEN,
                "Libraries and collections whose files are open",
                index -> index.isOpen() ? 1 : 0);
        FolderMeters.size(meters, settings.name(), settings.folder());
        FolderMeters.space(meters, settings.folder());
        Gauge.builder(MetricNames.STORE_DAMAGED, catalog, all -> all.damaged().size())
                .description("Libraries and collections whose files can't be read")
                .tag("store", settings.name())
                .register(meters);
    }

    private void sum(String name, String description, ToLongFunction<NamespaceIndex> value) {
        Gauge.builder(name, catalog, all -> all.indexes().stream()
                        .mapToLong(value)
                        .sum())
                .description(description)
                .tag("store", store)
                .register(meters);
    }
}
