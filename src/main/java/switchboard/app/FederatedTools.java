package switchboard.app;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.auth.AccessPolicy;
import switchboard.backend.HandlerCheck;
import switchboard.call.DiskError;
import switchboard.catalog.DescriptorReader;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.catalog.ToolDescriptor;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.AuthConfig;
import switchboard.config.SearchConfig;
import switchboard.dispatch.DelegatedCalls;
import switchboard.embed.DeclaredEmbedders;
import switchboard.embed.Embedders;
import switchboard.embed.TextSimilarity;
import switchboard.federation.FederationBackend;
import switchboard.federation.FederationSettings;
import switchboard.federation.FusionMethod;
import switchboard.federation.LearnedSearch;
import switchboard.federation.SignalRules;
import switchboard.federation.TeamMembers;
import switchboard.federation.WatchDesk;
import switchboard.signal.SignalKind;
import switchboard.store.PooledKeywordScore;

/**
 * The federated tools, which call several backends.
 *
 * @param searchable the ids of the backends that can be searched together
 * @param tools the federated tools that are offered; empty if no backend can be searched
 */
record FederatedTools(Set<String> searchable, List<ToolDescriptor> tools) {
    private static final int MAX_WAITING = 64;

    FederatedTools {
        searchable = Set.copyOf(searchable);
        tools = List.copyOf(tools);
    }

    /**
     * The federated tools for {@code backends}.
     *
     * @throws BootException if the tools file does not match the handlers, or a backend has the id that is reserved for
     *     these tools
     */
    static FederatedTools of(List<LoadedBackend> backends, Installation installation, AuthConfig.Mode mode) {
        if (backends.stream().anyMatch(loaded -> loaded.id().equals(FederationBackend.ID))) {
            throw new BootException(
                    BootException.Stage.CONFIGURATION,
                    List.of("backends." + FederationBackend.ID
                            + ": this id is reserved for the tools that search all backends; choose another"));
        }
        Set<String> searchable = backends.stream()
                .filter(loaded -> loaded.backend().search().isPresent())
                .map(LoadedBackend::id)
                .collect(Collectors.toSet());
        return new FederatedTools(
                searchable,
                searchable.isEmpty()
                        ? List.of()
                        : descriptors(installation).stream()
                                .filter(tool -> mode == AuthConfig.Mode.KEYS
                                        || !FederationBackend.FOR_TEAMS.contains(tool.name()))
                                .toList());
    }

    private static List<ToolDescriptor> descriptors(Installation installation) {
        String name = "backends/" + FederationBackend.ID + "/tools.json";
        List<ToolDescriptor> tools;
        try {
            tools = DescriptorReader.read(name, Files.readAllBytes(installation.toolsFile(FederationBackend.ID)));
        } catch (DescriptorReader.InvalidDescriptors e) {
            throw new BootException(BootException.Stage.CONFIGURATION, e.problems());
        } catch (IOException e) {
            throw new BootException(
                    BootException.Stage.CONFIGURATION,
                    List.of(name + " can't be read in " + installation.home() + ": " + DiskError.problem(e)));
        }
        List<String> problems = HandlerCheck.problems(FederationBackend.ID, tools, FederationBackend.ARGUMENTS);
        if (!problems.isEmpty()) {
            throw new BootException(BootException.Stage.CONFIGURATION, problems);
        }
        return tools;
    }

    /** As a backend of the catalog; empty if there are no federated tools. */
    List<BackendTools> offered() {
        return tools.isEmpty()
                ? List.of()
                : List.of(new BackendTools(FederationBackend.ID, FederationBackend.ID, tools));
    }

    /** The given backends and, if there are federated tools, the backend that has them. */
    List<LoadedBackend> beside(
            List<LoadedBackend> own,
            Platform platform,
            SearchConfig search,
            AccessPolicy policy,
            DelegatedCalls calls,
            TeamMembers members,
            LearnedSearch learned,
            Optional<WatchDesk> desk) {
        return tools.isEmpty()
                ? own
                : Stream.concat(
                                own.stream(),
                                Stream.of(backend(platform, search, policy, calls, members, learned, desk)))
                        .toList();
    }

    private LoadedBackend backend(
            Platform platform,
            SearchConfig search,
            AccessPolicy policy,
            DelegatedCalls calls,
            TeamMembers members,
            LearnedSearch learned,
            Optional<WatchDesk> desk) {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        BlockingExecutor blocking = platform.executors().open(FederationBackend.ID, threads, MAX_WAITING);
        FederationBackend.Dependencies dependencies = new FederationBackend.Dependencies(
                searchable,
                policy,
                calls,
                GatewayExecutors.composed(blocking),
                PooledKeywordScore::of,
                new ConfiguredModels(platform.models().embedders()),
                new TextSimilarity(() -> platform.models().embedders().embedder(Embedders.DEFAULT))::of,
                members);
        return new LoadedBackend(
                FederationBackend.ID,
                FederationBackend.ID,
                false,
                new FederationBackend(settings(search), dependencies, learned, desk),
                tools);
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

    private static FederationSettings settings(SearchConfig search) {
        Map<String, FederationSettings.Declared> declared = new HashMap<>();
        search.sources()
                .forEach((name, source) -> declared.put(
                        name,
                        new FederationSettings.Declared(
                                source.weight(), source.description(), source.text(), source.title(), source.url())));
        return new FederationSettings(
                search.deadline(),
                search.candidates(),
                search.maxSources(),
                fusion(search.fusion()),
                declared,
                rules(search.signals()));
    }

    private static SignalRules rules(SearchConfig.Signals configured) {
        return new SignalRules(Map.of(
                SignalKind.INSTRUCTIONS, treatment(configured.instructions()),
                SignalKind.HIDDEN_TEXT, treatment(configured.hidden_text()),
                SignalKind.INVISIBLE_CHARACTERS, treatment(configured.invisible_characters()),
                SignalKind.BIDI_CONTROLS, treatment(configured.bidi_controls()),
                SignalKind.LOOKALIKE_LINK, treatment(configured.lookalike_link())));
    }

    private static SignalRules.Treatment treatment(SearchConfig.Signals.Treatment configured) {
        return switch (configured) {
            case MARK -> SignalRules.Treatment.MARK;
            case DEMOTE -> SignalRules.Treatment.DEMOTE;
            case HIDE -> SignalRules.Treatment.HIDE;
        };
    }

    private static FederationSettings.FusionMethods fusion(SearchConfig.Fusion search) {
        FusionMethod.WeightedSum linear = new FusionMethod.WeightedSum(search.similarity());
        FusionMethod.ReciprocalRank rrf = new FusionMethod.ReciprocalRank(search.constant());
        return new FederationSettings.FusionMethods(
                switch (search.method()) {
                    case LINEAR -> linear;
                    case RRF -> rrf;
                },
                linear,
                rrf);
    }
}
