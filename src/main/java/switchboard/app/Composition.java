package switchboard.app;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import switchboard.auth.AccessPolicy;
import switchboard.backend.BlockingLane;
import switchboard.backend.DeclaredEmbedders;
import switchboard.backend.HandlerCheck;
import switchboard.catalog.DescriptorReader;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.catalog.ToolDescriptor;
import switchboard.compose.ComposeSettings;
import switchboard.compose.Composer;
import switchboard.compose.FusionMethod;
import switchboard.compose.Lane;
import switchboard.compose.Parts;
import switchboard.config.SearchConfig;
import switchboard.store.PooledKeywordScore;

/**
 * The tools that are made of several backends, where there is at least one to make them of.
 *
 * @param searchable the ids of the backends that can be searched together
 * @param tools what they are made into; empty when there are none
 */
record Composition(Set<String> searchable, List<ToolDescriptor> tools) {
    private static final int MAX_WAITING = 64;

    Composition {
        searchable = Set.copyOf(searchable);
        tools = List.copyOf(tools);
    }

    /**
     * Of {@code backends}.
     *
     * @throws BootException if the tools' file and their code don't fit together, or a backend has their name
     */
    static Composition of(List<LoadedBackend> backends, Installation installation) {
        if (backends.stream().anyMatch(loaded -> loaded.id().equals(Composer.ID))) {
            throw new BootException(
                    BootException.Stage.CONFIGURATION,
                    List.of("backends." + Composer.ID
                            + ": this id is of the tools that search all backends; take another"));
        }
        Set<String> searchable = backends.stream()
                .filter(loaded -> loaded.backend().search().isPresent())
                .map(LoadedBackend::id)
                .collect(Collectors.toSet());
        return new Composition(searchable, searchable.isEmpty() ? List.of() : descriptors(installation));
    }

    private static List<ToolDescriptor> descriptors(Installation installation) {
        String name = "backends/" + Composer.ID + "/tools.json";
        List<ToolDescriptor> tools;
        try {
            tools = DescriptorReader.read(name, Files.readAllBytes(installation.toolsFile(Composer.ID)));
        } catch (DescriptorReader.InvalidDescriptors e) {
            throw new BootException(BootException.Stage.CONFIGURATION, e.problems());
        } catch (IOException e) {
            throw new BootException(
                    BootException.Stage.CONFIGURATION,
                    List.of(name + " can't be read in " + installation.home() + ": "
                            + e.getClass().getSimpleName()));
        }
        List<String> problems = HandlerCheck.problems(Composer.ID, tools, Composer.ARGUMENTS);
        if (!problems.isEmpty()) {
            throw new BootException(BootException.Stage.CONFIGURATION, problems);
        }
        return tools;
    }

    /** As a backend of the catalog, if there are any. */
    List<BackendTools> offered() {
        return tools.isEmpty() ? List.of() : List.of(new BackendTools(Composer.ID, Composer.ID, tools));
    }

    /** The tools at work. */
    Composer composer(Platform platform, SearchConfig search, AccessPolicy policy, Parts parts) {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        BlockingLane blocking = platform.lanes().open(Composer.ID, threads, MAX_WAITING);
        Lane lane = Lanes.composed(blocking);
        return new Composer(
                searchable, settings(search), new Composer.Ground(policy, parts, lane, PooledKeywordScore::of));
    }

    /** The embedders that are declared for sources. */
    static DeclaredEmbedders embedders(SearchConfig search) {
        Map<String, String> names = new HashMap<>();
        search.sources().forEach((place, source) -> {
            if (source.embedder() != null) {
                names.put(place, source.embedder());
            }
        });
        return new DeclaredEmbedders(names);
    }

    private static ComposeSettings settings(SearchConfig search) {
        Map<String, ComposeSettings.Declared> declared = new HashMap<>();
        search.sources()
                .forEach((name, source) -> declared.put(
                        name,
                        new ComposeSettings.Declared(
                                source.weight(), source.description(), source.text(), source.title(), source.url())));
        FusionMethod fusion =
                switch (search.fusion().method()) {
                    case LINEAR -> new FusionMethod.Linear(search.fusion().similarity());
                    case RRF -> new FusionMethod.Rrf(search.fusion().constant());
                };
        return new ComposeSettings(search.deadline(), search.candidates(), search.maxSources(), fusion, declared);
    }
}
