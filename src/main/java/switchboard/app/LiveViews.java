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
import switchboard.config.Problem;
import switchboard.config.ViewConfig;

/**
 * The views as the configuration last said them without an error. {@link #reload} replaces them whole or not at all. What
 * else has changed in the configuration takes effect at the next start, and the log says so. For one thread at a time.
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

    /** Told when views were replaced. */
    @FunctionalInterface
    interface ViewListener {
        /** There was {@code before}, there is {@code after}. */
        void replaced(ToolCatalog before, ToolCatalog after);
    }

    /**
     * The views of {@code started}.
     *
     * @param file the configuration's
     * @param source reads it
     * @param teams may name views
     */
    LiveViews(Path file, Supplier<GatewayConfig> source, GatewayConfig started, LiveCatalog catalog, LiveTeams teams) {
        this.file = file;
        this.source = source;
        this.started = started;
        this.catalog = catalog;
        this.teams = teams;
        this.latest = started;
    }

    /** The files that say them, the configuration first. */
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
     * Reads the configuration and puts its views in force.
     *
     * @param listener told then
     * @return what there is now, in words
     * @throws BootException with everything that is wrong; what was in force stays
     */
    String reload(ViewListener listener) {
        GatewayConfig read = read();
        if (read.backends().isEmpty() && !started.backends().isEmpty()) {
            throw new BootException(
                    BootException.Stage.CONFIGURATION,
                    List.of(file.getFileName() + ": has no backends, as if only its beginning were there"));
        }
        latest = read;
        String rest = String.join(", ", started.differences(read));
        if (!rest.isEmpty() && !rest.equals(said)) {
            LOG.warn(
                    "{}: {} changed since the start; it takes a restart to put that in force",
                    file.getFileName(),
                    rest);
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
            throw new BootException(
                    BootException.Stage.CONFIGURATION,
                    e.problems().stream().map(Problem::toString).toList());
        }
    }
}
