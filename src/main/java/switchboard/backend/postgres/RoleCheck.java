package switchboard.backend.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Checks what a login role may do beyond reading, once for each profile, before anything else runs on it. A read-only
 * transaction prevents writes, but not a role's access to files, programs and other sessions.
 */
final class RoleCheck {
    private static final Logger LOG = LoggerFactory.getLogger(RoleCheck.class);
    private static final Duration WITHIN = Duration.ofSeconds(10);

    private static final String SQL = """
            SELECT r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolreplication, r.rolbypassrls,
              ARRAY(SELECT m.rolname::text FROM pg_catalog.pg_roles m
                WHERE m.rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program',
                  'pg_signal_backend', 'pg_signal_autovacuum_worker', 'pg_write_all_data', 'pg_maintain',
                  'pg_checkpoint', 'pg_create_subscription', 'pg_database_owner')
                  AND pg_catalog.pg_has_role(r.oid, m.oid, 'MEMBER') ORDER BY 1),
              ARRAY(SELECT n.nspname || '.' || c.relname
                FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
                  AND n.nspname !~ '^pg_(toast|temp)'
                  AND pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') ORDER BY 1 LIMIT 3),
              ARRAY(SELECT n.nspname::text FROM pg_catalog.pg_namespace n
                WHERE n.nspname !~ '^pg_' AND pg_catalog.has_schema_privilege(n.oid, 'CREATE') ORDER BY 1 LIMIT 3)
            FROM pg_catalog.pg_roles r WHERE r.rolname = current_user""";

    private final boolean allowPrivileged;
    private final Map<ConnectionProfile, Future<Void>> outcomes = new ConcurrentHashMap<>();

    RoleCheck(boolean allowPrivileged) {
        this.allowPrivileged = allowPrivileged;
    }

    /** Succeeds if {@code connectionProfile} may be used. After a failure it is checked again the next time. */
    Future<ConnectionProfile> admit(ConnectionProfile connectionProfile) {
        Future<Void> known = outcomes.get(connectionProfile);
        if (known != null && (!known.isComplete() || known.succeeded() || known.cause() instanceof Privileged)) {
            return known.map(connectionProfile);
        }
        Future<Void> asked = connectionProfile
                .own()
                .run(WITHIN, connection -> connection.preparedQuery(SQL).execute())
                .compose(rows -> judge(connectionProfile, powers(rows.iterator().next())));
        outcomes.put(connectionProfile, asked);
        return asked.map(connectionProfile);
    }

    private Future<Void> judge(ConnectionProfile connectionProfile, List<String> powers) {
        if (powers.isEmpty()) {
            return Future.succeededFuture();
        }
        String message = "The database role \"" + connectionProfile.user() + "\" at "
                + connectionProfile.database().label() + " can do more than read: " + String.join("; ", powers) + ".";
        if (allowPrivileged) {
            LOG.warn("{} access.allowPrivileged lets it.", message);
            return Future.succeededFuture();
        }
        return Future.failedFuture(new Privileged(message));
    }

    private static List<String> powers(Row row) {
        List<String> powers = new ArrayList<>();
        if (row.getBoolean(0)) {
            return List.of("it is a superuser");
        }
        String[] attributes = {"CREATEROLE", "CREATEDB", "REPLICATION", "BYPASSRLS"};
        for (int i = 0; i < attributes.length; i++) {
            if (row.getBoolean(i + 1)) {
                powers.add("it has " + attributes[i]);
            }
        }
        add(powers, "it is a member of ", row.getArrayOfStrings(5));
        add(powers, "it may write to tables such as ", row.getArrayOfStrings(6));
        add(powers, "it may create objects in schema ", row.getArrayOfStrings(7));
        return powers;
    }

    private static void add(List<String> powers, String what, String[] names) {
        if (names.length > 0) {
            powers.add(what + String.join(", ", names));
        }
    }

    /** A role that may not be used; the message names it, for operators. */
    static final class Privileged extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Privileged(String message) {
            super(
                    message + " Give the gateway a role that only reads (docs/postgres.md has the script), or set"
                            + " access.allowPrivileged: true.",
                    null,
                    false,
                    false);
        }

        /** The message for callers, without details of the database's roles. */
        ToolException forCaller() {
            return new ToolException(
                    FailureKind.UNAVAILABLE,
                    "The database is configured with a role that can do more than read, so nothing is run on it. The"
                            + " operator finds the details in the gateway's log.");
        }
    }
}
