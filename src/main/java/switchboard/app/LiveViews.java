package switchboard.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.catalog.ToolCatalog;
import switchboard.config.ConfigException;
import switchboard.config.GatewayConfig;
import switchboard.config.ViewConfig;

/**
 * The views as of the last valid version of the configuration. {@link #reload} replaces all of them or none. Other
 * changes of the configuration need a restart, which is logged. Not thread-safe.
 */
final class LiveViews {
    private static final Logger LOG = LoggerFactory.getLogger(LiveViews.class);

    private final Path file;
    private final Supplier<GatewayConfig> source;
    private final GatewayConfig started;
    private final LiveCatalog catalog;
    private final LiveTeams teams;
    private GatewayConfig latest;
    private String said = "";

    /** Notified when the views have been replaced. */
    @FunctionalInterface
    interface ViewListener {
        /** The catalog {@code before} has been replaced by {@code after}. */
        void replaced(ToolCatalog before, ToolCatalog after);
    }

    /**
     * Starts with the views of {@code started}.
     *
     * @param file the configuration file
     * @param source reads that file
     * @param teams may name views, so they are checked, too
     */
    LiveViews(Path file, Supplier<GatewayConfig> source, GatewayConfig started, LiveCatalog catalog, LiveTeams teams) {
        this.file = file;
        this.source = source;
        this.started = started;
        this.catalog = catalog;
        this.teams = teams;
        this.latest = started;
    }

    /** The files that the views are read from, the configuration first. */
    Set<Path> files() {
        Set<Path> files = new LinkedHashSet<>();
        files.add(file);
        latest.views().values().stream()
                .map(ViewConfig::descriptions)
                .filter(Objects::nonNull)
                .forEach(files::add);
        return files;
    }

    /**
     * Reads the configuration and applies its views.
     *
     * @param listener notified of the change
     * @return a description of the views in use now, for the log
     * @throws BootException with every problem; the previous views stay in use
     */
    String reload(ViewListener listener) {
        GatewayConfig read = read();
        if (read.backends().isEmpty() && !started.backends().isEmpty()) {
            throw new BootException(
                    BootException.Stage.CONFIGURATION,
                    List.of(file.getFileName() + ": has no backends; the file looks truncated"));
        }
        latest = read;
        String rest = String.join(", ", started.differences(read));
        if (!rest.isEmpty() && !rest.equals(said)) {
            LOG.warn("{}: {} changed since the start; restart to apply that", file.getFileName(), rest);
        }
        said = rest;
        List<String> problems = new ArrayList<>(teams.missingViews(read.views().keySet()));
        if (!problems.isEmpty()) {
            throw new BootException(BootException.Stage.CONFIGURATION, problems);
        }
        ToolCatalog before = catalog.current();
        catalog.replaceViews(ConfiguredViews.specs(read.views()));
        teams.views(read.views().keySet());
        listener.replaced(before, catalog.current());
        return read.views().size() + " views";
    }

    private GatewayConfig read() {
        try {
            return source.get();
        } catch (ConfigException e) {
            throw new BootException(e);
        }
    }
}
