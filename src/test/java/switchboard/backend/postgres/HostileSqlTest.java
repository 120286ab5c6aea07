package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;
import switchboard.config.Size;
import switchboard.testing.BackendHarness;
import switchboard.testing.PgBouncer;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/**
 * Some hundred hostile statements, once through the tool and once straight at the session without the checks of the text,
 * as a login role under row-level security on a pool of one connection: the database stays as it is, the next statement
 * finds nothing of the one before, and no row of another team comes out.
 */
@Tag("engines")
@ExtendWith(VertxExtension.class)
class HostileSqlTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    /**
     * What a session could leave for the next: settings, prepared statements, locks, cursors, channels, roles, schema. Of a
     * setting with a made-up name PostgreSQL keeps the name, with an empty value, until the session ends.
     */
    private static final String SESSION = """
            SELECT json_build_object(
              'settings', (SELECT json_object_agg(name, setting ORDER BY name) FROM pg_settings
                WHERE source IN ('session', 'interactive') AND name NOT IN ('statement_timeout', 'lock_timeout',
                  'idle_in_transaction_session_timeout', 'transaction_read_only', 'transaction_isolation')),
              'custom', nullif(current_setting('app.team', true), ''), 'readOnly', current_setting('transaction_read_only'),
              'prepared', (SELECT json_agg(name) FROM pg_prepared_statements WHERE statement NOT LIKE '%json_build_object%'),
              'locks', (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'),
              'cursors', (SELECT count(*) FROM pg_cursors WHERE is_holdable),
              'channels', (SELECT count(*) FROM pg_listening_channels()),
              'temp', pg_my_temp_schema()::int, 'user', current_user, 'session', session_user,
              'path', current_setting('search_path'))::text""";

    /** What a write anywhere in the database or cluster would change. */
    private static final String DATABASE = """
            SELECT (SELECT json_agg(v ORDER BY id) FROM victims v)::text || (SELECT json_agg(n ORDER BY note) FROM notes n)
              || (SELECT last_value || '/' || is_called FROM counter)
              || (SELECT string_agg(c.relname || c.relkind::text || coalesce(c.relacl::text, ''), ',' ORDER BY c.oid)
                  FROM pg_class c WHERE c.relnamespace <> 'pg_toast'::regnamespace AND c.relname !~ '^pg_')
              || (SELECT count(*) FROM pg_proc) || '/' || (SELECT count(*) FROM pg_largeobject_metadata)
              || (SELECT string_agg(rolname || rolsuper, ',' ORDER BY oid) FROM pg_roles)
              || (SELECT count(*) FROM pg_database) || '/' || (SELECT count(*) FROM pg_namespace)
              || '/' || (SELECT count(*) FROM pg_type) || '/' || (SELECT count(*) FROM pg_replication_slots)
              || '/' || (SELECT count(*) FROM pg_prepared_xacts) || '/' || (SELECT count(*) FROM pg_description)
              || '/' || (SELECT count(*) FROM pg_db_role_setting) || '/' || (SELECT count(*) FROM pg_extension)""";

    private static Vertx vertx;
    private static BackendHarness harness;
    private static PgConnection superuser;
    private static PostgresSettings.Connection teamA;
    private static PostgresSettings settings;

    @BeforeAll
    static void start(Vertx shared) {
        vertx = shared;
        String reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE ROLE team_a LOGIN CONNECTION LIMIT 20; CREATE ROLE team_b LOGIN;
                GRANT USAGE ON SCHEMA public TO team_a, team_b;
                CREATE TABLE victims (id int PRIMARY KEY, name text);
                INSERT INTO victims SELECT i, 'v' || i FROM generate_series(1, 20) i;
                CREATE SEQUENCE counter; GRANT USAGE, SELECT ON counter TO team_a;
                CREATE TABLE notes (team text, note text);
                INSERT INTO notes SELECT t, t || '-sekret-' || i FROM unnest(ARRAY['team_a', 'team_b']) t, generate_series(1, 50) i;
                ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON notes USING (team = current_user);
                GRANT SELECT ON victims, notes TO team_a, team_b;
                CREATE FUNCTION sneaky_write() RETURNS int LANGUAGE plpgsql AS
                  'BEGIN INSERT INTO victims VALUES (77, ''x''); RETURN 1; END';
                CREATE FUNCTION sneaky_set() RETURNS text LANGUAGE plpgsql AS
                  'BEGIN PERFORM set_config(''app.team'', ''b'', false); SET search_path = pg_temp; RETURN ''set''; END';
                CREATE FUNCTION sneaky_prepare() RETURNS int LANGUAGE plpgsql AS
                  'BEGIN EXECUTE ''PREPARE leaked AS SELECT 1''; RETURN 1; END';
                CREATE FUNCTION sneaky_lock() RETURNS int LANGUAGE plpgsql AS
                  'BEGIN PERFORM pg_advisory_lock(12345); RETURN 1; END';
                CREATE FUNCTION definer_write() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS
                  'BEGIN DELETE FROM victims; RETURN 1; END';
                CREATE FUNCTION leak(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
                  'BEGIN RAISE EXCEPTION ''leaked %'', $1; END';
                CREATE EXTENSION dblink;
                CREATE VIEW sneaky_view WITH (security_invoker) AS SELECT sneaky_write();
                GRANT SELECT ON sneaky_view TO team_a;
                ANALYZE;
                """);
        PostgresSettings.Pool one = new PostgresSettings.Pool(
                1, 10, Duration.ofSeconds(20), Duration.ofMinutes(5), Duration.ofMinutes(30), false);
        PostgresSettings.ResultLimits limits = new PostgresSettings.ResultLimits(
                1000, Size.ofMiB(1), Duration.ofMillis(300), Duration.ofMillis(100), 200);
        settings = new PostgresSettings(
                PostgresFixture.connection(CLUSTER, reader),
                Map.of(),
                new PostgresSettings.Access(
                        false, true, List.of(), Map.of("a", new PostgresSettings.Role("team_a", null)), false),
                one,
                limits,
                "default",
                Map.of(),
                Map.of());
        harness = PostgresFixture.start(settings, null);
        harness.as(caller -> new Caller(
                "a", "key", Rights.everywhere(EnumSet.of(Verb.READ)), ResourceScope.ALL, Map.of("role", "a")));
        superuser = PgConnection.connect(
                        vertx,
                        ConnectionSettings.of(PostgresFixture.connection(CLUSTER, CLUSTER.superuser()))
                                .options())
                .await();
        teamA = PostgresFixture.connection(CLUSTER, "team_a");
    }

    @AfterAll
    static void stop() {
        harness.close();
        superuser.close().await();
    }

    /**
     * A statement, and what must come of it.
     *
     * @param tool through the tool: {@code ok}, or the kind of the failure and PostgreSQL's code if it has one
     * @param session straight at the session: {@code ok}, PostgreSQL's code, or {@code lost} if the client had no answer
     */
    private record Hostile(String tool, String session, String sql) {
        static Hostile read(String line) {
            String[] parts = line.split("\\|", 3);
            return new Hostile(
                    parts[0].strip(),
                    parts[1].strip(),
                    parts[2].substring(1)
                            .replace("\\n", "\n")
                            .replace("\\r", "\r")
                            .replace("\\0", "\0"));
        }
    }

    /** One statement a line; {@code \\n} and {@code \\r} stand for line breaks, {@code \\0} for NUL. */
    private static List<Hostile> statements() throws IOException {
        List<Hostile> statements = new ArrayList<>();
        try (var file = HostileSqlTest.class.getResourceAsStream("/postgres/hostile.txt")) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.split("\n", -1)) {
                if (!line.isEmpty()) {
                    statements.add(Hostile.read(line));
                }
            }
        }
        return statements;
    }

    private static String database() {
        Row row = superuser.query(DATABASE).execute().await().iterator().next();
        return row.getString(0);
    }

    private static ToolResult query(String sql) {
        return harness.call("query_database", Json.object().put("query", sql));
    }

    private static String session() {
        ToolResult result = query(SESSION);
        assertFalse(result.isError(), result::toString);
        return result.structured().path("rows").path(0).path(0).asText();
    }

    @Test
    void throughTheToolNothingIsWrittenAndNothingStays() throws IOException {
        String database = database();
        String session = session();
        List<Hostile> statements = statements();
        assertTrue(statements.size() >= 150, "there are " + statements.size());
        List<String> unexpected = new ArrayList<>();
        for (Hostile hostile : statements) {
            ToolResult result = query(hostile.sql());
            String outcome = result.isError()
                    ? (result.errorKind() + " " + result.error().path("code").asText()).strip()
                    : "ok";
            if (!outcome.equals(hostile.tool())) {
                unexpected.add("T\t" + outcome + "\t" + hostile.sql());
            }
            assertFalse(result.toString().contains("team_b-sekret"), () -> hostile.sql() + " -> " + result);
            assertEquals(session, session(), hostile.sql());
            assertEquals(database, database(), hostile.sql());
        }
        assertEquals(List.of(), unexpected);
    }

    @Test
    void withoutTheChecksOfTheTextTheSessionAloneHolds() throws IOException {
        holds(PostgresFixture.targets(vertx, settings).profile("", teamA, null), Map.of());
    }

    @Test
    void soItDoesBehindPgBouncerInTransactionMode() throws IOException {
        try (PgBouncer bouncer = PgBouncer.start(CLUSTER.port(), 1, "team_a")) {
            PostgresSettings pooled = new PostgresSettings(
                    settings.connection(),
                    Map.of(),
                    settings.access(),
                    new PostgresSettings.Pool(
                            2, 10, Duration.ofSeconds(20), Duration.ofMinutes(5), Duration.ofMinutes(30), true),
                    settings.limits(),
                    settings.embedder(),
                    Map.of(),
                    Map.of());
            holds(
                    PostgresFixture.targets(vertx, pooled)
                            .profile(
                                    "", PostgresFixture.connection(bouncer.port(), "team_a", CLUSTER.database()), null),
                    // Here the caller's statement stands after a savepoint, which changes what these answer.
                    Map.of(
                            "release savepoint switchboard", "ok",
                            "rollback to savepoint switchboard", "ok",
                            "select pg_export_snapshot()", "25001"));
        }
    }

    private static void holds(ConnectionProfile connectionProfile, Map<String, String> otherwise) throws IOException {
        String database = database();
        List<String> unexpected = new ArrayList<>();
        try {
            String session = straightSession(connectionProfile);
            for (Hostile hostile : statements()) {
                String outcome = straight(connectionProfile, hostile.sql());
                if (!outcome.equals(otherwise.getOrDefault(hostile.sql(), hostile.session()))) {
                    unexpected.add("S\t" + outcome + "\t" + hostile.sql());
                }
                assertEquals(session, straightSession(connectionProfile), hostile.sql());
                assertEquals(database, database(), hostile.sql());
            }
            assertEquals(List.of(), unexpected);
        } finally {
            connectionProfile.close().await();
        }
    }

    private static String straight(ConnectionProfile connectionProfile, String sql) {
        return connectionProfile
                .caller()
                .run(
                        Duration.ofSeconds(1),
                        connection -> connection.preparedQuery(sql).execute())
                .map(rows -> {
                    StringBuilder text = new StringBuilder();
                    rows.forEach(row -> text.append(row.deepToString()));
                    assertFalse(text.toString().contains("team_b-sekret"), sql);
                    return "ok";
                })
                .recover(failure -> {
                    assertFalse(String.valueOf(failure.getMessage()).contains("team_b-sekret"), sql);
                    return Future.succeededFuture(
                            failure instanceof PgException refused ? refused.getSqlState() : "lost");
                })
                .await();
    }

    private static String straightSession(ConnectionProfile connectionProfile) {
        return connectionProfile
                .caller()
                .run(
                        Duration.ofSeconds(10),
                        connection -> connection.preparedQuery(SESSION).execute())
                .map(rows -> rows.iterator().next().getString(0))
                .await();
    }
}
