package switchboard.backend.postgres;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.Backend;
import switchboard.backend.DeclaredTool;
import switchboard.backend.ResourceProvider;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.call.Caller;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Health;

/** One configured PostgreSQL: its tools over its databases. */
final class PostgresBackend implements Backend {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresBackend.class);
    private static final Duration PROBE = Duration.ofSeconds(3);

    private final DatabaseAccess databaseAccess;
    private final RoleCheck roles;
    private final ServerDiagnostics examination;
    private final ServerResources resources;
    private final Set<String> gates;
    private final Optional<SearchProvider> search;
    private final List<ToolHandler<?>> tools;
    private final List<DeclaredQueryTool> declared;

    PostgresBackend(
            PostgresSettings settings,
            DatabaseAccess databaseAccess,
            RoleCheck roles,
            Clock clock,
            Ticker ticker,
            TableEmbedders embedders) {
        this.databaseAccess = databaseAccess;
        this.roles = roles;
        this.examination = new ServerDiagnostics(roles, embedders, clock);
        this.resources = new ServerResources(databaseAccess, settings.access().activitySql());
        this.gates = settings.access().callerSql() ? Set.of("callerSql") : Set.of();
        SemanticSearch search = new SemanticSearch(databaseAccess, embedders);
        TableCache tables = new TableCache(databaseAccess, ticker);
        this.search = embedders.none() ? Optional.empty() : Optional.of(new TableSearch(search, tables));
        this.tools = List.of(
                new QueryDatabaseTool(databaseAccess),
                new GetSchemaInfoTool(databaseAccess),
                new SearchSimilarTool(search),
                new SemanticSearchTool(search, tables),
                new GenerateEmbeddingTool(embedders),
                new ReadResourceTool(resources));
        this.declared = settings.queries().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new DeclaredQueryTool(search, declared(entry.getKey(), entry.getValue()), ticker))
                .toList();
    }

    private DeclaredQuery declared(String name, PostgresSettings.Query query) {
        if (tools.stream().anyMatch(tool -> tool.name().equals(name))) {
            throw new IllegalArgumentException("queries." + name + ": the backend has a tool of that name");
        }
        if (!databaseAccess.targets().has(query.database())) {
            throw new IllegalArgumentException("queries." + name + ".database is one of "
                    + databaseAccess.targets().names());
        }
        return DeclaredQuery.of(name, query);
    }

    @Override
    public List<ToolHandler<?>> tools() {
        return tools;
    }

    @Override
    public List<DeclaredTool> declaredTools() {
        return declared.stream()
                .map(tool -> new DeclaredTool(tool.descriptor(), tool))
                .toList();
    }

    @Override
    public Set<String> gates() {
        return gates;
    }

    @Override
    public Optional<SearchProvider> search() {
        return search;
    }

    @Override
    public Optional<ResourceProvider> resources() {
        return Optional.of(resources);
    }

    /**
     * Looks at every role and prepares every declared query: a role that can do more than read and a query that the
     * database refuses keep the gateway down; a server that is down does not.
     */
    @Override
    public Future<Void> start() {
        return Future.join(databaseAccess.targets().all().stream()
                        .map(this::inspect)
                        .toList())
                .compose(inspected ->
                        Future.join(declared.stream().map(this::check).toList()))
                .mapEmpty();
    }

    private Future<Void> inspect(ConnectionProfile connectionProfile) {
        return tolerant(connectionProfile, roles.admit(connectionProfile).mapEmpty());
    }

    private Future<Void> check(DeclaredQueryTool tool) {
        ConnectionProfile connectionProfile = databaseAccess.targets().of(tool.database(), Caller.unrestricted());
        return tolerant(
                connectionProfile,
                connectionProfile
                        .own()
                        .run(PROBE, tool::check)
                        .recover(failure -> failure instanceof PgException wrong
                                        && DatabaseFailures.aboutTheQuery(wrong)
                                ? Future.failedFuture(new IllegalArgumentException("queries." + tool.name() + ": "
                                        + DatabaseFailures.error(wrong, connectionProfile.database(), 0)
                                                .message()))
                                : Future.failedFuture(failure)));
    }

    private static Future<Void> tolerant(ConnectionProfile connectionProfile, Future<Void> asked) {
        return asked.recover(failure -> {
            if (failure instanceof RoleCheck.Privileged || failure instanceof IllegalArgumentException) {
                return Future.failedFuture(failure);
            }
            LOG.warn(
                    "{} as {}: {}",
                    connectionProfile.database().label(),
                    connectionProfile.user(),
                    DatabaseFailures.of(failure, connectionProfile.database()).message());
            return Future.succeededFuture();
        });
    }

    @Override
    public Future<Void> stop() {
        return databaseAccess.targets().close();
    }

    /** Checks each database with each role: down without the default one, degraded without another. */
    @Override
    public Future<Health> health() {
        ConnectionProfile first = databaseAccess.targets().of(null, Caller.unrestricted());
        Map<ConnectionProfile, Future<Health>> asked = new LinkedHashMap<>();
        databaseAccess
                .targets()
                .all()
                .forEach(connectionProfile -> asked.put(connectionProfile, health(connectionProfile)));
        return Future.join(List.copyOf(asked.values())).map(_ -> {
            Health own = asked.getOrDefault(first, Future.succeededFuture(Health.up()))
                    .result();
            String others = asked.entrySet().stream()
                    .filter(entry -> !entry.getValue().result().ok())
                    .map(entry -> entry.getKey().database().label() + " as "
                            + entry.getKey().user() + ": "
                            + entry.getValue().result().detail())
                    .sorted()
                    .collect(Collectors.joining("; "));
            return own.ok() && !others.isEmpty() ? Health.degraded(others) : own;
        });
    }

    private static Future<Health> health(ConnectionProfile connectionProfile) {
        return connectionProfile
                .own()
                .run(PROBE, connection -> connection.preparedQuery("SELECT 1").execute())
                .map(rows -> {
                    connectionProfile.guard().recovered();
                    return Health.up();
                })
                .recover(failure ->
                        Future.succeededFuture(Health.down(DatabaseFailures.of(failure, connectionProfile.database())
                                .message())));
    }

    @Override
    public Future<List<DiagnosticFinding>> examine() {
        List<Future<List<DiagnosticFinding>>> asked =
                databaseAccess.targets().all().stream().map(examination::of).toList();
        return Future.join(asked)
                .map(_ -> asked.stream().flatMap(each -> each.result().stream()).toList());
    }
}
