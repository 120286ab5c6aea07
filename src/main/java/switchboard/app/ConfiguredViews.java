package switchboard.app;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import switchboard.call.RefDetail;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ViewSpec;
import switchboard.config.ConfigException;
import switchboard.config.ConfigLoader;
import switchboard.config.ViewConfig;

/** Builds the catalog from the loaded backends, the federated tools and the configured views. */
final class ConfiguredViews {
    private ConfiguredViews() {}

    /**
     * Builds the catalog.
     *
     * @throws BootException with every problem of the views
     */
    static ToolCatalog catalog(Collection<ToolCatalog.BackendTools> backends, List<ViewSpec> views) {
        try {
            return ToolCatalog.of(backends, views);
        } catch (ToolCatalog.InvalidViews e) {
            throw new BootException(BootException.Stage.CONFIGURATION, e.problems());
        }
    }

    /**
     * The definitions of the configured views, with texts read from their files.
     *
     * @throws BootException with every problem of the files
     */
    static List<ViewSpec> specs(Map<String, ViewConfig> configured) {
        try {
            return configured.entrySet().stream()
                    .map(view -> spec(view.getKey(), view.getValue()))
                    .toList();
        } catch (ConfigException e) {
            throw new BootException(e);
        }
    }

    private static ViewSpec spec(String name, ViewConfig view) {
        Map<String, String> texts = new HashMap<>();
        if (view.descriptions() != null) {
            new ConfigLoader(Map.of(), Map.of())
                    .loadViewTexts(view.descriptions())
                    .tools()
                    .forEach((tool, text) -> texts.put(tool, text.description()));
        }
        return new ViewSpec(
                name,
                Set.copyOf(view.backends()),
                view.tools(),
                view.rename(),
                texts,
                new ViewSpec.ArgumentValues(view.pinned(), view.defaults()),
                new ViewSpec.Listing(
                        view.findTools() ? ViewSpec.ListedTools.TOOL_SEARCH : ViewSpec.ListedTools.ALL,
                        view.outputSchemas(),
                        RefDetail.valueOf(view.refs().name()),
                        view.signals()),
                view.resources());
    }
}
