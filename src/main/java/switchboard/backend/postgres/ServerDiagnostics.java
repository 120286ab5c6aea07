package switchboard.backend.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import switchboard.call.ClockCheck;
import switchboard.call.DiagnosticFinding;

/**
 * The checks of {@code doctor} for a database: version, clock, pgvector, and permissions of the role.
 *
 * @param roles checks whether the role may be used
 * @param embedders the embedders for semantic search
 * @param clock the gateway's clock
 */
record ServerDiagnostics(RoleCheck roles, TableEmbedders embedders, Clock clock) {
    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final String SQL = """
            SELECT pg_catalog.current_setting('server_version'), pg_catalog.clock_timestamp(),
              (SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'vector')""";

    /** The findings about {@code target}; never fails. */
    Future<List<DiagnosticFinding>> of(ConnectionProfile connectionProfile) {
        String label = connectionProfile.database().label() + " as " + connectionProfile.user();
        return connectionProfile
                .own()
                .run(WITHIN, connection -> connection.preparedQuery(SQL).execute())
                .map(rows -> server(label, rows.iterator().next()))
                .compose(findings -> rights(connectionProfile).map(right -> {
                    findings.add(right);
                    return findings;
                }))
                .recover(failure -> Future.succeededFuture(List.of(DiagnosticFinding.bad(
                        "engine",
                        DatabaseFailures.of(failure, connectionProfile.database())
                                        .message() + " (" + label + "; check host, port,"
                                + " user and password of the section)"))));
    }

    private List<DiagnosticFinding> server(String label, Row row) {
        List<DiagnosticFinding> findings = new ArrayList<>();
        findings.add(DiagnosticFinding.good("engine", "PostgreSQL " + row.getString(0) + ", " + label));
        findings.add(ClockCheck.of(row.get(OffsetDateTime.class, 1).toInstant(), clock.instant()));
        String vectors = row.getString(2);
        findings.add(vectors == null ? withoutVectors() : DiagnosticFinding.good("pgvector", vectors));
        return findings;
    }

    private DiagnosticFinding withoutVectors() {
        return embedders.none()
                ? DiagnosticFinding.good(
                        "pgvector", "not installed in this database, and not needed: the backend has no embedder")
                : DiagnosticFinding.bad(
                        "pgvector",
                        "not installed in this database, so there is no vector search: CREATE EXTENSION vector");
    }

    private Future<DiagnosticFinding> rights(ConnectionProfile connectionProfile) {
        return roles.admit(connectionProfile)
                .map(_ -> DiagnosticFinding.good(
                        "rights", "the role only reads, or may do more by access.allowPrivileged"))
                .otherwise(failure -> DiagnosticFinding.bad(
                        "rights", connectionProfile.database().scrubbed(String.valueOf(failure.getMessage()))));
    }
}
