package switchboard.backend.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Binding;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.SessionValues;
import switchboard.call.ToolException;

/**
 * Gives tools access to a database: the database and role, whether the caller may run this kind of SQL, a read-only
 * transaction, and failures as values.
 */
final class DatabaseAccess {
    /** The binding that limits the tools without caller-written SQL to schemas, separated by commas. */
    static final String SCHEMAS = "schemas";

    /** The session value with the default database that it has chosen. */
    static final String DATABASE = "database";

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseAccess.class);

    private final PostgresSettings settings;
    private final ConnectionProfiles connectionProfiles;
    private final RoleCheck roles;

    DatabaseAccess(PostgresSettings settings, ConnectionProfiles connectionProfiles, RoleCheck roles) {
        this.settings = settings;
        this.connectionProfiles = connectionProfiles;
        this.roles = roles;
    }

    PostgresSettings.ResultLimits limits() {
        return settings.limits();
    }

    ConnectionProfiles targets() {
        return connectionProfiles;
    }

    /**
     * Runs SQL of this gateway. {@code bindings} are the bindings that {@code work} enforces, besides the role and
     * settings.
     */
    <T> Future<T> own(
            @Nullable String database,
            CallContext context,
            Set<String> bindings,
            BiFunction<SqlConnection, ConnectionProfile.Database, Future<T>> work) {
        return own(database, context, bindings).compose(session -> session.run(work));
    }

    /**
     * A session for SQL of this gateway, with the settings that the team is bound to. {@code bindings} are the bindings
     * that it enforces, besides the role.
     */
    Future<DatabaseSession> own(@Nullable String database, CallContext context, Set<String> bindings) {
        Caller caller = context.caller();
        Set<String> open = new HashSet<>(caller.bindings().keySet());
        open.remove(ConnectionProfiles.ROLE);
        open.removeAll(bindings);
        open.removeIf(BoundSettings::isSetting);
        if (!open.isEmpty()) {
            return denied("The team is bound to " + String.join(", ", open)
                    + ", which this tool can't enforce. The operator can bind the team to a database role instead.");
        }
        return session(database, context, ConnectionProfile::own, BoundSettings::of);
    }

    /** Runs SQL that the caller wrote, if it may send SQL. */
    <T> Future<T> caller(
            @Nullable String database,
            CallContext context,
            BiFunction<SqlConnection, ConnectionProfile.Database, Future<T>> work) {
        return caller(database, context).compose(session -> session.run(work));
    }

    /** The session for SQL that the caller wrote, if it may send SQL. */
    Future<DatabaseSession> caller(@Nullable String database, CallContext context) {
        Caller caller = context.caller();
        if (!settings.access().callerSql()) {
            return denied("SQL written by callers is switched off (access.callerSql).");
        }
        if (!caller.scope().unrestricted()) {
            return denied(
                    "The grant is limited to named resources, and SQL that you write can't be restricted to them. Use"
                            + " get_schema_info and semantic_search without 'filter_conditions'.");
        }
        if (!Set.of(ConnectionProfiles.ROLE).containsAll(caller.bindings().keySet())) {
            return denied(
                    "The team is bound to part of the database, and SQL that you write can't be restricted to it. The"
                            + " operator can bind the team to a database role instead.");
        }
        return session(database, context, ConnectionProfile::caller, _ -> BoundSettings.NONE);
    }

    /** The schemas that a caller may see without SQL of its own; empty means all. */
    List<String> schemas(Caller caller) {
        Optional<Binding> bound = caller.binding(SCHEMAS);
        List<String> configured = settings.access().schemas();
        if (bound.isEmpty()) {
            return configured;
        }
        // Each name by itself, so that a comma in a claim separates nothing.
        List<String> own = Arrays.stream(bound.get().text().split(","))
                .flatMap(name -> new Binding(SCHEMAS, name.strip(), caller).values().stream())
                .filter(schema -> configured.isEmpty() || configured.contains(schema))
                .toList();
        if (own.isEmpty()) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "The team is bound to schemas that access.schemas does not include. The operator has to"
                            + " correct the team's bindings.");
        }
        return own;
    }

    /** Whether the caller may see a table. */
    boolean visible(Caller caller, String schema, String table) {
        return caller.scope().allows(schema + "." + table)
                || (schema.equals("public") && caller.scope().allows(table));
    }

    /** The database that a call names, or else the session's default, or else null. */
    private static @Nullable String chosen(@Nullable String named, CallContext context) {
        SessionValues session = context.session();
        return named != null || session == null ? named : session.byName().get(DATABASE);
    }

    private Future<DatabaseSession> session(
            @Nullable String database,
            CallContext context,
            Function<ConnectionProfile, ReadOnlyPool> pool,
            Function<Caller, BoundSettings> bound) {
        try {
            ConnectionProfile connectionProfile = connectionProfiles.of(chosen(database, context), context.caller());
            return Future.succeededFuture(new DatabaseSession(
                    connectionProfile, pool.apply(connectionProfile), context, bound.apply(context.caller())));
        } catch (ToolException unknown) {
            return Future.failedFuture(unknown);
        }
    }

    /** A call's session at a database, within what the call may do. */
    final class DatabaseSession {
        private final ConnectionProfile connectionProfile;
        private final ReadOnlyPool pool;
        private final CallContext context;
        private final BoundSettings settings;

        private DatabaseSession(
                ConnectionProfile connectionProfile, ReadOnlyPool pool, CallContext context, BoundSettings settings) {
            this.connectionProfile = connectionProfile;
            this.pool = pool;
            this.context = context;
            this.settings = settings;
        }

        /** The database. */
        ConnectionProfile.Database database() {
            return connectionProfile.database();
        }

        /** The role that the server knows the call by. */
        String user() {
            return connectionProfile.user();
        }

        /** Runs {@code work} in a transaction of its own. */
        <T> Future<T> run(BiFunction<SqlConnection, ConnectionProfile.Database, Future<T>> work) {
            return admitted(() -> pool.run(context, bound(work)));
        }

        /** The same for {@code work} that is one statement. */
        <T> Future<T> runStatement(BiFunction<SqlConnection, ConnectionProfile.Database, Future<T>> work) {
            // Settings last as long as a transaction, so with them it takes one.
            return settings.isEmpty() ? admitted(() -> pool.runStatement(context, bound(work))) : run(work);
        }

        private <T> Function<SqlConnection, Future<T>> bound(
                BiFunction<SqlConnection, ConnectionProfile.Database, Future<T>> work) {
            return connection -> settings.isEmpty()
                    ? work.apply(connection, connectionProfile.database())
                    : settings.apply(connection).compose(_ -> work.apply(connection, connectionProfile.database()));
        }

        private <T> Future<T> admitted(Supplier<Future<T>> work) {
            return connectionProfile
                    .guard()
                    .run(() -> roles.admit(connectionProfile).compose(_ -> work.get()))
                    .recover(failure -> Future.failedFuture(forCaller(failure, connectionProfile)));
        }
    }

    private static ToolException forCaller(Throwable failure, ConnectionProfile connectionProfile) {
        if (failure instanceof RoleCheck.Privileged privileged) {
            LOG.error("{}", privileged.getMessage());
            return privileged.forCaller();
        }
        return new ToolException(DatabaseFailures.of(failure, connectionProfile.database()));
    }

    private static <T> Future<T> denied(String message) {
        return Future.failedFuture(new ToolException(FailureKind.DENIED, message));
    }
}
