package switchboard.backend.mcp;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.Backend;
import switchboard.backend.ListChanges;
import switchboard.backend.PromptProvider;
import switchboard.backend.RelayedTools;
import switchboard.backend.ResourceProvider;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.backend.mcp.peer.InternalCallContext;
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.BackendEvent.ListChanged.ListType;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Health;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.config.SearchConfig;

/** Another MCP server as a backend. Its lists are kept here and read again when they change; calls are relayed. */
final class McpBackend implements Backend, Upstream.ConnectionListener {
    private static final Logger LOG = LoggerFactory.getLogger(McpBackend.class);
    /** How long the gateway's start waits for a server, in milliseconds. */
    private static final long START_MS = 5_000;

    private static final Duration LISTING = Duration.ofSeconds(60);
    private static final long LOOK_MS = 2_000;

    private final String id;
    private final Vertx vertx;
    private final McpSettings settings;
    private final ListChanges changes;
    private final LiveApprovals approvals;
    private final Upstream upstream;
    private final UpstreamCalls calls;
    private final KeptCalls keptCalls;
    private final BlockingExecutor executor;
    private final UpstreamTools tools;
    private final UpstreamPrompts prompts;
    private final UpstreamResources resources;
    private final ChangedResources changedResources;
    private final Optional<SearchProvider> search;
    private volatile List<ObjectNode> listed = List.of();
    private volatile boolean hasPrompts;
    private volatile boolean hasResources;
    private final ListRefresher listRefresher = new ListRefresher();
    private volatile boolean stopping;
    private long looking = -1;

    /** The components of an instance. */
    record Dependencies(
            String id,
            McpSettings settings,
            Vertx vertx,
            ListChanges changes,
            LiveApprovals approvals,
            BlockingExecutor executor,
            Map<String, SearchConfig.SourceConfig> sources) {}

    McpBackend(Dependencies parts, TransportFactory transportFactory, UpstreamFailures failures, TeamShare share) {
        this.id = parts.id();
        this.vertx = parts.vertx();
        this.settings = parts.settings();
        this.changes = parts.changes();
        this.executor = parts.executor();
        this.approvals = parts.approvals();
        this.upstream = new Upstream(id, vertx, transportFactory, connector(settings.era()), settings.refresh(), this);
        this.calls = transportFactory.calls(upstream);
        this.keptCalls = new KeptCalls(
                vertx,
                calls,
                settings.questions(),
                settings.url() == null
                        ? settings.process().most()
                        : settings.connection().pool().size(),
                share);
        Map<String, RelayedSource> sources = RelayedSource.of(id, parts.sources());
        this.tools = new UpstreamTools(id, settings, failures, keptCalls, sources);
        this.prompts = new UpstreamPrompts(keptCalls, failures);
        // A server that is called as the caller is not subscribed to: whether a caller may watch, only it could say.
        int subscriptions = calls.asCallers() ? 0 : settings.limits().subscriptions();
        this.resources = new UpstreamResources(keptCalls, failures, upstream::watch, subscriptions);
        this.changedResources = new ChangedResources(vertx, upstream::watched, changes::updated);
        this.search = RelayedSources.of(id, sources, tools, resources);
    }

    private static switchboard.backend.mcp.peer.Connector connector(McpSettings.Era era) {
        return switch (era) {
            case AUTO -> switchboard.backend.mcp.peer.Connector.AUTO;
            case MODERN -> switchboard.backend.mcp.peer.Connector.MODERN;
            case LEGACY -> switchboard.backend.mcp.peer.Connector.LEGACY;
        };
    }

    @Override
    public List<ToolHandler<?>> tools() {
        return List.of();
    }

    @Override
    public Optional<RelayedTools> relayedTools() {
        return Optional.of(tools);
    }

    @Override
    public Optional<ResourceProvider> resources() {
        return hasResources ? Optional.of(resources) : Optional.empty();
    }

    @Override
    public Optional<PromptProvider> prompts() {
        return hasPrompts ? Optional.of(prompts) : Optional.empty();
    }

    @Override
    public Optional<SearchProvider> search() {
        return search;
    }

    @Override
    public Optional<String> trouble() {
        List<String> sentences = new ArrayList<>();
        if (!upstream.trouble().isEmpty()) {
            sentences.add("The server behind \"" + id + "\" can't be used now; its tools stay listed, and calls of them"
                    + " answer UNAVAILABLE.");
        }
        if (!tools.withheld().isEmpty()) {
            sentences.add(tools.withheld().size() + " tools of \"" + id
                    + "\" are withheld until the operator has looked at them.");
        }
        return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
    }

    @Override
    public Future<Void> start() {
        return executor.run(approvals::open).compose(read -> {
            List<ToolDefinition.Unusable> refused = new ArrayList<>();
            tools.publish(tools.usable(read.listed(), refused), refused);
            listed = read.listed();
            approvals.listen(this::look);
            looking = vertx.setPeriodic(LOOK_MS, _ -> look());
            return first();
        });
    }

    /** The first attempt to connect, limited to {@link #START_MS}. */
    private Future<Void> first() {
        Promise<Void> done = Promise.promise();
        long timer = vertx.setTimer(START_MS, _ -> done.tryComplete());
        upstream.start().onComplete(_ -> done.tryComplete());
        return done.future().onComplete(_ -> vertx.cancelTimer(timer));
    }

    @Override
    public Future<Void> stop() {
        vertx.cancelTimer(looking);
        stopping = true;
        keptCalls.close();
        return calls.close().compose(_ -> upstream.stop()).eventually(executor::close);
    }

    @Override
    public Future<Health> health() {
        return upstream.probe().map(_ -> {
            if (!upstream.trouble().isEmpty()) {
                return Health.down(upstream.trouble());
            }
            if (!tools.refusal().isEmpty()) {
                return Health.down("its tools are refused: " + String.join("; ", tools.refusal()));
            }
            if (approvals.failed()) {
                return Health.degraded(
                        "up; the file of its approvals can't be used, the previous approvals stay in use");
            }
            return tools.withheld().isEmpty()
                    ? Health.up()
                    : Health.up("up; " + tools.withheld().size() + " tools withheld");
        });
    }

    @Override
    public Future<List<DiagnosticFinding>> examine() {
        return Backend.super.examine().map(engine -> {
            List<DiagnosticFinding> findings = new ArrayList<>(engine);
            if (search.isEmpty()) {
                findings.addAll(SearchToolProposals.of(id, tools.tools()));
            }
            return findings;
        });
    }

    @Override
    public Future<Long> connected(Peer peer) {
        JsonNode capabilities = peer.description().path("capabilities");
        hasPrompts = capabilities.has("prompts");
        hasResources = capabilities.has("resources");
        Future<Long> read = capabilities.has("tools") ? readTools(peer) : Future.succeededFuture(Long.MAX_VALUE);
        return read.compose(ttl -> (hasPrompts ? readPrompts(peer) : Future.succeededFuture())
                .compose(_ -> hasResources ? readResources(peer) : Future.succeededFuture())
                .map(ttl));
    }

    @Override
    public void notified(Peer peer, ObjectNode notification) {
        String method = notification.path("method").asText();
        if (method.equals("notifications/resources/updated")) {
            String uri = notification.path("params").path("uri").asText();
            if (resources.watchable() > 0 && UpstreamResources.nameable(uri)) {
                changedResources.add(uri);
            }
        } else if (listRefresher.begin(method)) {
            Future<?> read =
                    switch (method) {
                        case "notifications/tools/list_changed" -> readTools(peer);
                        case "notifications/prompts/list_changed" -> readPrompts(peer);
                        case "notifications/resources/list_changed" -> readResources(peer);
                        default -> Future.succeededFuture();
                    };
            read.onFailure(failure -> unread("a changed list", failure)).onComplete(_ -> {
                if (listRefresher.end(method) && !stopping) {
                    notified(peer, notification);
                }
            });
        }
    }

    private void unread(String what, Throwable failure) {
        if (!stopping) {
            LOG.warn("{}: {} can't be read: {}", id, what, failure.getMessage());
        }
    }

    private Future<Long> readTools(Peer peer) {
        return PagedListReader.all(
                        peer, "tools/list", "tools", settings.limits().tools(), InternalCallContext.within(LISTING))
                .compose(read -> {
                    listed = read.entries();
                    return publish().map(read.ttlMs());
                });
    }

    private Future<Void> readPrompts(Peer peer) {
        return PagedListReader.all(
                        peer, "prompts/list", "prompts", settings.limits().tools(), InternalCallContext.within(LISTING))
                .map(read -> {
                    if (prompts.learn(read.entries())) {
                        changes.announce(ListType.PROMPTS);
                    }
                    return null;
                });
    }

    private Future<Void> readResources(Peer peer) {
        int most = settings.limits().tools();
        return PagedListReader.all(peer, "resources/list", "resources", most, InternalCallContext.within(LISTING))
                .compose(found -> PagedListReader.all(
                                peer,
                                "resources/templates/list",
                                "resourceTemplates",
                                most,
                                InternalCallContext.within(LISTING))
                        .map(PagedListReader.ListedEntries::entries)
                        .otherwise(List.of())
                        .map(templates -> {
                            if (resources.learn(found.entries(), templates)) {
                                changes.announce(ListType.RESOURCES);
                            }
                            return null;
                        }));
    }

    /** Decides which tools are published. Checking and storing many definitions takes time. */
    private Future<Void> publish() {
        List<ObjectNode> entries = listed;
        return executor.run(() -> {
                    ApprovalFile.ToolApprovals known = approvals.current();
                    List<ToolDefinition.Unusable> withheld = new ArrayList<>();
                    List<ToolDefinition> usable = tools.usable(entries, withheld);
                    ApprovalPolicy.ApprovalResult decision =
                            new ApprovalPolicy(settings.trust().hold()).decide(usable, known);
                    withheld.addAll(decision.held());
                    approvals.replace(decision.approvals());
                    if (settings.trust().hold() != McpSettings.Hold.NOTHING) {
                        approvals.share(
                                usable.stream().map(ToolDefinition::name).collect(Collectors.toSet()));
                    }
                    return tools.publish(decision.published(), withheld);
                })
                .map(also(changed -> {
                    if (changed) {
                        changes.announce(ListType.TOOLS);
                    }
                }))
                .mapEmpty();
    }

    /** Publishes tools that have been approved since the last check. */
    private void look() {
        executor.run(approvals::changed)
                .compose(approved -> approved ? publish() : Future.succeededFuture())
                .onFailure(failure -> unread("the file of its approvals", failure));
    }

    @Override
    public Set<String> gates() {
        return Set.of();
    }
}
