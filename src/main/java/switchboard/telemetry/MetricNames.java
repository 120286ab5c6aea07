package switchboard.telemetry;

/**
 * Names of meters and tags as Micrometer has them; Prometheus shows dots as underscores and appends units. Those
 * without the prefix {@code switchboard} are of the OpenTelemetry semantic conventions for MCP.
 */
public final class MetricNames {
    /** How long an MCP request took, from its first byte to its answer. */
    public static final String OPERATION_DURATION = "mcp.server.operation.duration";
    /** How long a legacy session lived. */
    public static final String SESSION_DURATION = "mcp.server.session.duration";
    /** Legacy sessions alive. */
    public static final String SESSIONS_ACTIVE = "switchboard.sessions.active";
    /** MCP requests by team. */
    public static final String TEAM_OPERATIONS = "switchboard.team.operations";
    /** The size of what a team was answered. */
    public static final String TEAM_RESULT = "switchboard.team.result";
    /** Tokens in what a team was answered, where a budget counts them. */
    public static final String TEAM_TOKENS = "switchboard.team.tokens";
    /** Whether the teams file has changed and can't be used. */
    public static final String TEAMS_RELOAD_FAILED = "switchboard.teams.reload.failed";
    /** Whether older views are in force than the configuration says. */
    public static final String CONFIG_RELOAD_FAILED = "switchboard.config.reload.failed";
    /** Whether files of some kind have changed and can't be used. */
    public static final String FILES_OUTDATED = "switchboard.files.outdated";
    /** Calls that a team's limits refused. */
    public static final String TEAM_LIMITED = "switchboard.team.limited";
    /** When the server's certificate ends. */
    public static final String CERTIFICATE_EXPIRES = "switchboard.tls.certificate.expiry.timestamp";
    /** Writes of the audit log that failed. */
    public static final String AUDIT_FAILURES = "switchboard.audit.failures";
    /** Lines that are missing in the audit log. */
    public static final String AUDIT_LOST = "switchboard.audit.lost";
    /** Whether the audit log can't be written now. */
    public static final String AUDIT_FAILING = "switchboard.audit.failing";
    /** How long a call of a backend took, from its dispatch to its answer. */
    public static final String BACKEND_CALLS = "switchboard.backend.call.duration";
    /** Whether a backend's engine answers. */
    public static final String BACKEND_UP = "switchboard.backend.up";
    /** Whether a backend is switched on. */
    public static final String BACKEND_ON = "switchboard.backend.on";

    /** Room on the disk that holds a data folder. */
    public static final String FOLDER_FREE = "switchboard.data.folder.free";
    /** Size of the disk that holds a data folder. */
    public static final String FOLDER_TOTAL = "switchboard.data.folder.total";
    /** Size of a store's files. */
    public static final String STORE_SIZE = "switchboard.store";
    /** Legacy sessions that had to give way to others. */
    public static final String SESSIONS_EVICTED = "switchboard.sessions.evicted";
    /** Which build it is. */
    public static final String BUILD_INFO = "switchboard.build.info";
    /** How many legacy sessions there may be. */
    public static final String SESSIONS_LIMIT = "switchboard.sessions.limit";

    /** The MCP method. */
    public static final String METHOD = "mcp.method.name";
    /** The MCP version that the request was served under. */
    public static final String VERSION = "mcp.protocol.version";
    /** The tool's name in the view that was called. */
    public static final String TOOL = "gen_ai.tool.name";
    /** The JSON-RPC code of an error of the protocol; otherwise empty. */
    public static final String CODE = "rpc.response.status_code";
    /** The kind of failure, never a number; empty on success. */
    public static final String ERROR = "error.type";
    /** {@code tcp} for HTTP, {@code pipe} for standard input and output. */
    public static final String TRANSPORT = "network.transport";
    /** A backend's id. */
    public static final String BACKEND = "backend";
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
