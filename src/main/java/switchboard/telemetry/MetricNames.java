package switchboard.telemetry;

/**
 * Names of meters and tags as Micrometer has them; Prometheus shows dots as underscores and appends units. Those
 * without the prefix {@code switchboard} are of the OpenTelemetry semantic conventions for MCP. No other class writes the
 * name of a meter. These are constants, which the compiler copies to where they are used: any package may name them.
 */
public final class MetricNames {
    /** Duration of MCP requests, from first byte to answer. */
    public static final String OPERATION_DURATION = "mcp.server.operation.duration";
    /** Duration of legacy sessions. */
    public static final String SESSION_DURATION = "mcp.server.session.duration";
    /** Number of open legacy sessions. */
    public static final String SESSIONS_ACTIVE = "switchboard.sessions.active";
    /** Number of MCP requests by team. */
    public static final String TEAM_OPERATIONS = "switchboard.team.operations";
    /** Size of answers by team. */
    public static final String TEAM_RESULT = "switchboard.team.result";
    /** Tokens in answers by team, if they are limited. */
    public static final String TEAM_TOKENS = "switchboard.team.tokens";
    /** 1 while the current teams file can't be used. */
    public static final String TEAMS_RELOAD_FAILED = "switchboard.teams.reload.failed";
    /** 1 while the current configuration can't be used, so that older views are in use. */
    public static final String CONFIG_RELOAD_FAILED = "switchboard.config.reload.failed";
    /** 1 while changed files of some kind can't be used. */
    public static final String FILES_OUTDATED = "switchboard.files.outdated";
    /** Calls that a team's limits refused. */
    public static final String TEAM_LIMITED = "switchboard.team.limited";
    /** When the server's certificate expires. */
    public static final String CERTIFICATE_EXPIRES = "switchboard.tls.certificate.expiry.timestamp";
    /** Writes of the audit log that failed. */
    public static final String AUDIT_FAILURES = "switchboard.audit.failures";
    /** Lines that are missing in the audit log. */
    public static final String AUDIT_LOST = "switchboard.audit.lost";
    /** 1 while the audit log can't be written. */
    public static final String AUDIT_FAILING = "switchboard.audit.failing";
    /** Lines that are missing in the search log. */
    public static final String INSIGHT_LOST = "switchboard.insight.lost";
    /** Standing questions. */
    public static final String WATCHES = "switchboard.watches";
    /** Standing questions that wait to be asked again. */
    public static final String WATCHES_WAITING = "switchboard.watches.waiting";
    /** Searches for standing questions. */
    public static final String WATCH_RUNS = "switchboard.watch.runs";
    /** Documents that came among the first answers to a standing question. */
    public static final String WATCH_NEWS = "switchboard.watch.news";
    /** Messages to the webhooks of standing questions. */
    public static final String WATCH_WEBHOOKS = "switchboard.watch.webhooks";
    /** Webhooks that wait to be told something. */
    public static final String WATCH_WEBHOOKS_WAITING = "switchboard.watch.webhooks.waiting";
    /** News that newer news have displaced. */
    public static final String WATCH_NEWS_LOST = "switchboard.watch.news.lost";
    /** Duration of backend calls, from dispatch to answer. */
    public static final String BACKEND_CALLS = "switchboard.backend.call.duration";
    /** 1 if the backend's engine answers. */
    public static final String BACKEND_UP = "switchboard.backend.up";
    /** 1 if the backend is switched on. */
    public static final String BACKEND_ON = "switchboard.backend.on";

    /** Free space on the disk of a data folder. */
    public static final String FOLDER_FREE = "switchboard.data.folder.free";
    /** Size of the disk of a data folder. */
    public static final String FOLDER_TOTAL = "switchboard.data.folder.total";
    /** Size of a store's files. */
    public static final String STORE_SIZE = "switchboard.store";
    /** Legacy sessions that were replaced by newer ones. */
    public static final String SESSIONS_EVICTED = "switchboard.sessions.evicted";
    /** Whether the database that gateways share answers. */
    public static final String CLUSTER_UP = "switchboard.cluster.up";
    /** Changes of shared libraries that a node's files lack. */
    public static final String STORE_BEHIND = "switchboard.store.behind";
    /** How old the oldest of these is. */
    public static final String STORE_LAG = "switchboard.store.lag";
    /** Gateways that share a database. */
    public static final String CLUSTER_NODES = "switchboard.cluster.nodes";
    /** Whether a gateway applies its part of the limits of teams and keys by itself. */
    public static final String CLUSTER_LIMITS_DIVIDED = "switchboard.cluster.limits.divided";
    /** Version of the build. */
    public static final String BUILD_INFO = "switchboard.build.info";
    /** Number of tasks whose work the gateway does now. */
    public static final String TASKS_RUNNING = "switchboard.tasks.running";
    /** Maximum number of legacy sessions. */
    public static final String SESSIONS_LIMIT = "switchboard.sessions.limit";
    /** How long one attempt of a request to an engine took, from asking for a connection to the answer's last byte. */
    public static final String UPSTREAM_DURATION = "switchboard.upstream.request.duration";
    /** Requests to an engine that were sent again. */
    public static final String UPSTREAM_RETRIES = "switchboard.upstream.retries";
    /** The state of an engine's circuit breaker. */
    public static final String UPSTREAM_BREAKER = "switchboard.upstream.breaker.state";
    /** Requests to an engine under way or waiting for a connection. */
    public static final String UPSTREAM_IN_FLIGHT = "switchboard.upstream.in.flight";
    /** Streams of an MCP server that stay open without being a call. */
    public static final String UPSTREAM_STREAMS = "switchboard.upstream.streams.open";
    /** Calls of a backend refused because too many were under way. */
    public static final String CALLS_REJECTED = "switchboard.calls.rejected";
    /** Calls of a backend under way. */
    public static final String CALLS_IN_FLIGHT = "switchboard.calls.in.flight";
    /** Calls of a backend that wait until fewer are under way. */
    public static final String CALLS_WAITING = "switchboard.calls.waiting";
    /** Calls of a backend that may be under way. */
    public static final String CALLS_LIMIT = "switchboard.calls.limit";
    /** Blocking work refused because its executor's queue was full. */
    public static final String EXECUTOR_REJECTED = "switchboard.executor.rejected";
    /** Blocking work under way. */
    public static final String EXECUTOR_RUNNING = "switchboard.executor.running";
    /** Blocking work that waits for a thread. */
    public static final String EXECUTOR_WAITING = "switchboard.executor.waiting";
    /** How late event loops run what is due. */
    public static final String EVENT_LOOP_LAG = "switchboard.event.loop.lag";
    /** Connections to the MCP endpoint. */
    public static final String HTTP_CONNECTIONS = "switchboard.http.connections.open";
    /** MCP requests over HTTP whose answer is not finished. */
    public static final String HTTP_EXCHANGES = "switchboard.http.exchanges.open";
    /** Bytes of request bodies in memory. */
    public static final String HTTP_BODIES = "switchboard.http.request.bodies";
    /** Event streams to callers. */
    public static final String HTTP_STREAMS = "switchboard.http.streams.open";
    /** Exchanges given up because the caller did not read its answer. */
    public static final String HTTP_READERS_CUT = "switchboard.http.readers.cut";
    /** HTTP requests refused before their MCP message was read. */
    public static final String HTTP_REFUSED = "switchboard.http.refused";
    /** Callers' credentials by how their check ended. */
    public static final String AUTH_OUTCOMES = "switchboard.auth.outcomes";
    /** Connections to a database, and calls that wait for one. */
    public static final String POSTGRES_CONNECTIONS = "switchboard.postgres.connections";
    /** The state of a database server's circuit breaker. */
    public static final String POSTGRES_BREAKER = "switchboard.postgres.breaker.state";
    /** Documents in a store. */
    public static final String STORE_DOCUMENTS = "switchboard.store.documents";
    /** Chunks in a store. */
    public static final String STORE_CHUNKS = "switchboard.store.chunks";
    /** Libraries and collections of a store whose files are open. */
    public static final String STORE_OPEN = "switchboard.store.namespaces.open";
    /** Libraries and collections of a store whose files can't be read. */
    public static final String STORE_DAMAGED = "switchboard.store.namespaces.damaged";
    /** Time until a commit of a store is on the disk. */
    public static final String STORE_COMMITS = "switchboard.store.commit.duration";
    /** Changes that share a commit of a store. */
    public static final String STORE_COMMIT_CHANGES = "switchboard.store.commit.changes";
    /** How long ago the last complete update of a collection with a schedule began. */
    public static final String COLLECTION_AGE = "switchboard.collection.age";
    /** How old it may be. */
    public static final String COLLECTION_AGE_LIMIT = "switchboard.collection.age.limit";
    /** Updates of such a collection that failed. */
    public static final String COLLECTION_UPDATE_FAILURES = "switchboard.collection.update.failures";
    /** Time to embed one text, without waiting. */
    public static final String EMBEDDING_DURATION = "switchboard.embedding.duration";
    /** Texts in one request to an embedding provider. */
    public static final String EMBEDDING_BATCH_SIZE = "switchboard.embedding.batch.size";
    /** Requests for vectors that failed. */
    public static final String EMBEDDING_FAILURES = "switchboard.embedding.failures";
    /** 1 while requests are sent to an embedding provider; 0 during a pause after failures. */
    public static final String EMBEDDING_UP = "switchboard.embedding.up";

    /** Quality of search on a judged set, in the file that {@code eval} writes: as Prometheus spells it. */
    public static final String EVAL_QUALITY = "switchboard_eval_quality";

    /** The MCP method. */
    public static final String METHOD = "mcp.method.name";
    /** The MCP version of the request. */
    public static final String VERSION = "mcp.protocol.version";
    /** The tool's name in the view. */
    public static final String TOOL = "gen_ai.tool.name";
    /** The JSON-RPC code of a protocol error; otherwise empty. */
    public static final String CODE = "rpc.response.status_code";
    /** The kind of failure, never a number; empty on success. */
    public static final String ERROR = "error.type";
    /** {@code tcp} for HTTP, {@code pipe} for standard input and output. */
    public static final String TRANSPORT = "network.transport";
    /** A backend's id. */
    public static final String BACKEND = "backend";
    /** A collection's name, after that of its owner if it has one. */
    public static final String COLLECTION = "collection";
    /** The path of a data folder. */
    public static final String FOLDER = "folder";
    /** An embedded store's name. */
    public static final String STORE = "store";
    /** A limit's name in the teams file. */
    public static final String LIMIT = "limit";
    /** A team's name. */
    public static final String TEAM = "team";

    private MetricNames() {}
}
