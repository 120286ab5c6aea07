package switchboard.backend.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;

/** How a connection is reset after a transaction, so that nothing of one call affects the next. */
sealed interface SessionReset {
    /** SQL to send right after {@code BEGIN}, in the same message; starts with a semicolon, or is empty. */
    String afterBegin();

    /** Ends the transaction and removes what it left. If that fails, the connection must not be used again. */
    Future<Void> clear(SqlConnection connection);

    /** Sends {@code statements} one after the other without waiting in between. */
    private static Future<Void> send(SqlConnection connection, List<String> statements) {
        return Future.all(statements.stream()
                        .map(sql -> connection.query(sql).execute())
                        .toList())
                .mapEmpty();
    }

    /** After the gateway's own SQL, which changes settings only with {@code SET LOCAL}: the rollback is enough. */
    enum OwnSql implements SessionReset {
        INSTANCE;

        @Override
        public String afterBegin() {
            return "";
        }

        @Override
        public Future<Void> clear(SqlConnection connection) {
            return send(connection, List.of("ROLLBACK"));
        }
    }

    /** After SQL of a caller: session locks, prepared statements and whatever else survives a rollback go too. */
    enum CallerSql implements SessionReset {
        INSTANCE;

        @Override
        public String afterBegin() {
            return "";
        }

        @Override
        public Future<Void> clear(SqlConnection connection) {
            return send(connection, List.of("ROLLBACK", "DISCARD ALL"));
        }
    }

    /**
     * The same behind PgBouncer in transaction mode, where a statement after the transaction may reach another server
     * connection: everything is undone before the transaction ends, with a savepoint because the transaction may have
     * failed.
     */
    enum CallerSqlBehindPooler implements SessionReset {
        INSTANCE;

        @Override
        public String afterBegin() {
            return "; SAVEPOINT switchboard";
        }

        @Override
        public Future<Void> clear(SqlConnection connection) {
            return send(
                    connection,
                    List.of(
                            "ROLLBACK TO SAVEPOINT switchboard",
                            "SELECT pg_catalog.pg_advisory_unlock_all()",
                            "DEALLOCATE ALL",
                            "ROLLBACK"));
        }
    }
}
