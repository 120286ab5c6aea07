package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
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
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;
import switchboard.config.Size;
import switchboard.testing.BackendHarness;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/**
 * Some hundred hostile statements, once through the tool and once straight at the session without the checks of the text,
 * as a login role under row-level security on a pool of one connection: the database stays as it is, the next statement
 * finds nothing of the one before, and no row of another team comes out.
 */
@Tag("engines")
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

    private static final Vertx VERTX = Vertx.vertx();
    private static BackendHarness harness;
    private static PgConnection superuser;
    private static PostgresSettings.Connection teamA;
    private static PostgresSettings settings;

    @BeforeAll
    static void start() {
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
                CREATE VIEW sneaky_view WITH (security_invoker) AS SELECT sneaky_write();
                GRANT SELECT ON sneaky_view TO team_a;
                ANALYZE;
                """);
        PostgresSettings.Pool one = new PostgresSettings.Pool(
                1, 10, Duration.ofSeconds(20), Duration.ofMinutes(5), Duration.ofMinutes(30), false);
        PostgresSettings.Limits limits =
                new PostgresSettings.Limits(1000, Size.ofMiB(1), Duration.ofMillis(300), Duration.ofMillis(100), 200);
        settings = new PostgresSettings(
                PostgresFixture.connection(CLUSTER, reader),
                Map.of(),
                new PostgresSettings.Access(
                        false, true, List.of(), Map.of("a", new PostgresSettings.Role("team_a", null)), false),
                one,
                limits,
                "default",
                Map.of());
        harness = PostgresFixture.start(settings, null);
        harness.as(caller -> new Caller("a", "key", EnumSet.of(Verb.READ), ResourceScope.ALL, Map.of("role", "a")));
        superuser = PgConnection.connect(
                        VERTX, TargetFactory.options(PostgresFixture.connection(CLUSTER, CLUSTER.superuser())))
                .await();
        teamA = PostgresFixture.connection(CLUSTER, "team_a");
    }

    @AfterAll
    static void stop() {
        harness.close();
        superuser.close().await();
        VERTX.close().await();
    }

    /** One statement a line; {@code \\n} stands for a line break, {@code \\0} for NUL. */
    private static List<String> statements() throws IOException {
        List<String> statements = new ArrayList<>();
        try (var file = HostileSqlTest.class.getResourceAsStream("/postgres/hostile.txt")) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.split("\n", -1)) {
                if (!line.isEmpty()) {
                    statements.add(line.replace("\\n", "\n").replace("\\0", "\0"));
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
        List<String> statements = statements();
        assertTrue(statements.size() >= 150, "there are " + statements.size());
        for (String sql : statements) {
            ToolResult result = query(sql);
            assertFalse(result.errorKind().equals("INTERNAL"), () -> sql + " -> " + result);
            assertFalse(result.toString().contains("team_b-sekret"), () -> sql + " -> " + result);
            assertEquals(session, session(), sql);
            assertEquals(database, database(), sql);
        }
    }

    @Test
    void withoutTheChecksOfTheTextTheSessionAloneHolds() throws IOException {
        Target target = new TargetFactory(VERTX, settings).target("", teamA, null);
        String database = database();
        try {
            String session = straightSession(target);
            for (String sql : statements()) {
                if (sql.indexOf('\0') >= 0) {
                    continue;
                }
                String answer = straight(target, sql);
                assertFalse(answer.contains("team_b-sekret"), () -> sql + " -> " + answer);
                assertEquals(session, straightSession(target), sql);
                assertEquals(database, database(), sql);
            }
        } finally {
            target.close().await();
        }
    }

    private static String straight(Target target, String sql) {
        return target.caller()
                .run(
                        Duration.ofSeconds(1),
                        connection -> connection.preparedQuery(sql).execute())
                .map(rows -> {
                    StringBuilder text = new StringBuilder();
                    rows.forEach(row -> text.append(row.deepToString()));
                    return text.toString();
                })
                .recover(failure -> io.vertx.core.Future.succeededFuture(String.valueOf(failure.getMessage())))
                .await();
    }

    private static String straightSession(Target target) {
        return target.caller()
                .run(
                        Duration.ofSeconds(10),
                        connection -> connection.preparedQuery(SESSION).execute())
                .map(rows -> rows.iterator().next().getString(0))
                .await();
    }
}
