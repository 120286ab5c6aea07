package switchboard.backend.postgres;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.config.AllowedRange;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.PemFile;
import switchboard.config.Secret;
import switchboard.config.Size;

/** The keys of a backend of type {@code postgres}. */
public record PostgresSettings(
        @Doc("The default database. Missing values come from the `PG*` environment variables.")
        Connection connection,

        @Doc("Further databases that queries may name, by name. The gateway connects to no others.")
        Map<String, Connection> databases,

        @Doc("Permissions.") Access access,
        @Doc("Connections per database and role.") Pool pool,
        @Doc("Limits of one call.") ResultLimits limits,

        @Default("default") @Doc("The embedder that turns query text into vectors: a name of `embedders:`.")
        String embedder,

        @Doc("Embedders of tables whose vectors come from another model, by `schema.table` or `schema.table.column`.")
        Map<String, String> embedders,

        @Doc("Queries that become tools, by the tool's name.")
        Map<String, Query> queries) {
    public PostgresSettings {
        databases = Map.copyOf(databases);
        embedders = Map.copyOf(embedders);
        queries = Map.copyOf(queries);
    }

    /** The address of a database and the user. */
    public record Connection(
            @Doc(
                    "The whole connection as one URL, `postgres://user:password@host:5432/database`; as it may hold the password it comes from `${env:NAME}` or `${file:PATH}`.")
            @Nullable
            Secret url,

            @Doc(
                    "Host name or address. Several, separated by commas and each with or without a port, are servers of the same data: the first that can be reached is used.")
            @Nullable
            String host,

            @AllowedRange(min = "1", max = "65535") @Doc("Port.") @Nullable
            Integer port,

            @Doc("Name of the database.") @Nullable String database,
            @Doc("Role to log in as.") @Nullable String user,
            @Doc("The role's password.") @Nullable Secret password,

            @Doc("`disable`, `allow`, `prefer`, `require`, `verify-ca` or `verify-full`, as in libpq.") @Nullable
            String sslMode,

            @Doc(
                    "PEM file of the authority that `verify-ca` and `verify-full` check against, reloaded when it changes; by default the authorities that Java trusts.")
            @Nullable
            PemFile sslRootCert) {
        /** Everything from the environment. */
        public static final Connection FROM_ENVIRONMENT =
                new Connection(null, null, null, null, null, null, null, null);
    }

    /** Permissions. */
    public record Access(
            @Default("false")
            @Doc("Whether to serve although the role may write, read files of the server or act on other sessions.")
            boolean allowPrivileged,

            @Default("true")
            @Doc("Whether SQL that callers write is run at all: `query_database` and `filter_conditions`.")
            boolean callerSql,

            @Doc(
                    "Schemas that the tools without caller-written SQL may show and search; empty: all that the role may read.")
            List<String> schemas,

            @Doc("Roles that a team's binding `role` may name. Each has its own connections.")
            Map<String, Role> roles,

            @Default("false") @Doc("Show the SQL text of other sessions in `pg://stat/activity`.")
            boolean activitySql) {
        public Access {
            schemas = List.copyOf(schemas);
            roles = Map.copyOf(roles);
        }
    }

    /** A role to log in as instead of the default one. */
    public record Role(
            @Doc("Role to log in as.") String user,
            @Doc("Its password.") @Nullable Secret password) {}

    /** Connections per database and role. */
    public record Pool(
            @Default("8")
            @AllowedRange(min = "1", max = "500")
            @Doc("Connections for SQL of callers, and as many for the gateway's own.")
            int maxSize,

            @Default("64") @AllowedRange(min = "0", max = "10000") @Doc("Calls that may wait for a connection.")
            int maxWaiting,

            @Default("5s") @AllowedRange(min = "100ms", max = "1m") @Doc("How long a call waits for a connection.")
            Duration acquireTimeout,

            @Default("5m")
            @AllowedRange(min = "10s", max = "1d")
            @Doc("When an unused connection is closed; at the latest 30 seconds after the time of a statement.")
            Duration idleTimeout,

            @Default("30m") @AllowedRange(min = "10s", max = "1d") @Doc("When a connection is replaced.")
            Duration maxLifetime,

            @Default("false")
            @Doc(
                    "Whether PgBouncer in transaction mode is in front of the server: changes of callers to the session are undone inside the transaction.")
            boolean pgbouncer) {}

    /** Limits of one call. */
    public record ResultLimits(
            @Default("1000") @AllowedRange(min = "1", max = "100000") @Doc("Rows of one answer.")
            int rows,

            @Default("256KiB")
            @AllowedRange(min = "1KiB", max = "16MiB")
            @Doc("Bytes of the rows of one answer, as JSON.")
            Size bytes,

            @Default("30s") @AllowedRange(min = "100ms", max = "10m") @Doc("Time of one statement.")
            Duration statementTimeout,

            @Default("2s") @AllowedRange(min = "10ms", max = "1m") @Doc("How long a statement waits for a lock.")
            Duration lockTimeout,

            @Default("200") @AllowedRange(min = "1", max = "5000") @Doc("Tables in one answer of `get_schema_info`.")
            int tables) {}

    /** A query that becomes a tool. */
    public record Query(
            @Doc("One SELECT, WITH, VALUES or TABLE statement; `:name` is the parameter `name`.")
            String sql,

            @Doc("The tool's description, which agents read to choose it.")
            String description,

            @Doc("A short name for people; by default the tool's name.") @Nullable
            String title,

            @Default("read") @Doc("The verb a team needs: `read`, `search` or `admin`.")
            String verb,

            @Doc("One of `databases:`; by default the default database.") @Nullable
            String database,

            @AllowedRange(min = "1", max = "100000")
            @Doc("Maximum number of rows; at most the backend's limit.")
            @Nullable
            Integer rows,

            @Doc("The parameters, by their name after `:` in the SQL.")
            Map<String, Parameter> parameters) {
        public Query {
            parameters = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        }
    }

    /** A parameter of a declared query. */
    public record Parameter(
            @Default("string")
            @Doc(
                    "`string`, `integer`, `number`, `boolean`, `date`, `timestamp` (UTC without a zone), a list as `string[]`, `integer[]`, `number[]` or `date[]`, or `embedding`: a text that is embedded.")
            String type,

            @Doc("The parameter's description for agents.") @Nullable
            String description,

            @Doc(
                    "A source of the value other than the agent, who can't see the parameter: `team`, `principal`, `binding:<name>`, or `claim:<name>`: a claim of the caller's access token that its issuer's `carry` names, or of its key. Callers without one are refused, and nothing is run.")
            @Nullable
            String from,

            @Doc("The value when the agent gives none, a list as JSON; a parameter without one is required.") @Nullable
            String fallback,

            @Default("false") @Doc("Whether it may be left out; the query then gets NULL.")
            boolean optional,

            @Doc("The smallest number allowed.") @Nullable BigDecimal minimum,
            @Doc("The largest number allowed.") @Nullable BigDecimal maximum,

            @Default("1000") @AllowedRange(min = "1", max = "100000") @Doc("Longest text allowed.")
            int maxLength,

            @Doc("The only values allowed.") List<String> values) {
        public Parameter {
            values = List.copyOf(values);
        }
    }
}
