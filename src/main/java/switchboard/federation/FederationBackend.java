package switchboard.federation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.auth.AccessPolicy;
import switchboard.backend.Backend;
import switchboard.backend.PromptProvider;
import switchboard.backend.ResourceProvider;
import switchboard.backend.ToolHandler;
import switchboard.catalog.ToolSearch;
import switchboard.dispatch.DelegatedCalls;

/**
 * The backend of the federated tools, which call other backends. It is called like any other backend. What its tools
 * find is limited to what the caller may search at each backend. Thread-safe.
 */
public final class FederationBackend implements Backend {
    /** Its id. */
    public static final String ID = ToolSearch.BACKEND;

    /**
     * The tools and the records of their arguments. {@code call_tool} has no handler, because the protocol calls the
     * named tool.
     */
    public static final Map<String, Class<? extends Record>> ARGUMENTS = Map.of(
            SearchEverywhereTool.NAME, SearchEverywhereTool.Args.class,
            ListSourcesTool.NAME, ListSourcesTool.Args.class,
            FetchDocumentTool.NAME, FetchDocumentTool.Args.class,
            FindToolsTool.NAME, FindToolsTool.Args.class,
            CheckCitationTool.NAME, CheckCitationTool.Args.class,
            WhyNotTool.NAME, WhyNotTool.Args.class,
            ToolSearch.CALL, CallToolArgs.class,
            SearchGapsTool.NAME, SearchGapsTool.Args.class,
            WatchSearchTool.NAME, WatchSearchTool.Args.class);

    /** The tool that searches all sources. */
    public static final String SEARCH = SearchEverywhereTool.NAME;

    /** The tool that reads a document. */
    public static final String READ = FetchDocumentTool.NAME;

    /** The tool that checks citations. */
    public static final String CHECK = CheckCitationTool.NAME;

    /** Those that only a gateway with teams offers. */
    public static final Set<String> FOR_TEAMS = Set.of(WhyNotTool.NAME);

    /** The gate of {@code watch_search}. */
    private static final String WATCHES = "watches";

    private final List<ToolHandler<?>> tools;
    private final FederatedPrompts prompts;
    private final Optional<WatchResources> watches;

    /**
     * The dependencies of the tools.
     *
     * @param searchable ids of the backends that can be searched
     * @param policy decides who may see what
     * @param calls sends calls to backends
     * @param executor runs the scoring of passages
     * @param keywords scores passages by keyword
     * @param models what is known of the models of vectors
     * @param meanings compares tasks with tools by meaning
     * @param members who may be asked about
     */
    public record Dependencies(
            Set<String> searchable,
            AccessPolicy policy,
            DelegatedCalls calls,
            ComputationExecutor executor,
            KeywordScore keywords,
            EmbeddingModels models,
            TextComparison meanings,
            TeamMembers members) {
        public Dependencies {
            searchable = Set.copyOf(searchable);
        }
    }

    /** Tools over the backends that can be searched, without a log of searches. */
    public FederationBackend(FederationSettings settings, Dependencies dependencies) {
        this(settings, dependencies, LearnedSearch.NOTHING, Optional.empty());
    }

    /**
     * Tools over the backends that can be searched.
     *
     * @param learned from earlier searches
     * @param desk keeps standing questions; empty if nobody may ask any
     */
    public FederationBackend(
            FederationSettings settings, Dependencies dependencies, LearnedSearch learned, Optional<WatchDesk> desk) {
        SourceDirectory directory = new SourceDirectory(dependencies);
        this.prompts = new FederatedPrompts(directory, settings, dependencies.policy());
        DocumentReads reads = new DocumentReads(settings, dependencies);
        this.tools = List.of(
                new SearchEverywhereTool(directory, settings, dependencies, learned.rankings()),
                new ListSourcesTool(directory, settings),
                new FetchDocumentTool(reads, dependencies.executor()),
                new CheckCitationTool(reads, settings, dependencies.executor()),
                new FindToolsTool(dependencies),
                new WhyNotTool(settings, dependencies),
                new SearchGapsTool(learned.gaps(), new NeverFound(directory, settings.deadline()), dependencies),
                new WatchSearchTool(desk, settings, dependencies));
        this.watches = desk.map(open -> new WatchResources(open, settings, dependencies));
    }

    @Override
    public Set<String> gates() {
        return watches.isPresent() ? Set.of(WATCHES) : Set.of();
    }

    @Override
    public Optional<ResourceProvider> resources() {
        return watches.map(open -> open);
    }

    @Override
    public List<ToolHandler<?>> tools() {
        return tools;
    }

    @Override
    public Optional<PromptProvider> prompts() {
        return Optional.of(prompts);
    }
}
