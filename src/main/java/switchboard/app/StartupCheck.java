package switchboard.app;

import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import switchboard.backend.BackendServices;
import switchboard.call.DiagnosticFinding;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;
import switchboard.config.GatewayConfig;

/** Runs all checks of a start on a configuration, without starting anything. */
public final class StartupCheck {
    /**
     * One backend as it would be served.
     *
     * @param id its key in the configuration
     * @param type its type
     * @param tools all tools of its type and those that its configuration declares, each with whether it is on
     */
    public record BackendSummary(String id, String type, List<ToolState> tools) {
        public BackendSummary {
            tools = List.copyOf(tools);
        }

        /** How many tools agents would be offered. */
        public long openTools() {
            return tools.stream().filter(ToolState::on).count();
        }

        /** How many tools a setting of the backend switches off. */
        public long closedTools() {
            return tools.size() - openTools();
        }
    }

    /**
     * One tool.
     *
     * @param descriptor its declaration
     * @param on whether agents would be offered it
     */
    public record ToolState(ToolDescriptor descriptor, boolean on) {}

    private StartupCheck() {}

    /**
     * The backends of {@code config}, sorted by id.
     *
     * @throws BootException with every problem that would keep the gateway from starting
     */
    public static List<BackendSummary> of(GatewayConfig config, Installation installation, BackendTypes types) {
        return look(config, installation, types, (backends, federatedTools, _) -> Stream.concat(
                        backends.stream().map(StartupCheck::summary),
                        federatedTools.offered().stream().map(StartupCheck::summary))
                .sorted(Comparator.comparing(BackendSummary::id))
                .toList());
    }

    /**
     * The views of {@code config}.
     *
     * @throws BootException with every problem that would keep the gateway from starting
     */
    public static ToolCatalog catalog(GatewayConfig config, Installation installation, BackendTypes types) {
        return look(config, installation, types, (_, _, catalog) -> catalog);
    }

    /**
     * Tests the database that {@code config} shares with other gateways; nothing is found without one.
     *
     * @throws BootException if its configuration can't be used
     */
    public static List<DiagnosticFinding> cluster(GatewayConfig config) {
        return ConfiguredCluster.examine(config);
    }

    /** Computes a result from the loaded and checked backends. */
    @FunctionalInterface
    private interface Inspect<T> {
        T at(List<LoadedBackend> backends, FederatedTools federatedTools, ToolCatalog catalog);
    }

    private static <T> T look(GatewayConfig config, Installation installation, BackendTypes types, Inspect<T> look) {
        try (Platform platform = Platform.create(config, installation, Clock.systemUTC())) {
            BackendServices services = platform.services(installation, config);
            List<LoadedBackend> backends =
                    new BackendLoader(installation, types.modules(platform.models())).load(config.backends(), services);
            FederatedTools federatedTools =
                    FederatedTools.of(backends, installation, config.auth().mode());
            ToolCatalog catalog = ConfiguredViews.catalog(
                    Stream.concat(backends.stream().map(LoadedBackend::tools), federatedTools.offered().stream())
                            .toList(),
                    ConfiguredViews.specs(config.views()));
            return look.at(backends, federatedTools, catalog);
        }
    }

    private static BackendSummary summary(ToolCatalog.BackendTools composed) {
        return new BackendSummary(
                composed.id(),
                composed.type(),
                composed.tools().stream().map(tool -> new ToolState(tool, true)).toList());
    }

    private static BackendSummary summary(LoadedBackend backend) {
        return new BackendSummary(
                backend.id(),
                backend.type(),
                backend.all().stream()
                        .map(tool -> new ToolState(tool, backend.open(tool)))
                        .toList());
    }
}
