package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.DiagnosticFinding;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.testing.PostgresCluster;

/** What operators are told about the shared database. */
@Tag("engines")
class ClusterCheckTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    private static ClusterConfig config(String url, String schema) {
        return new ClusterConfig(Secret.of(url), null, null, null, schema, null, 4);
    }

    private static String url(String user, String hosts) {
        return "postgres://" + user + "@" + hosts + "/" + postgres.database();
    }

    private static List<Boolean> sound(List<DiagnosticFinding> findings) {
        return findings.stream().map(DiagnosticFinding::sound).toList();
    }

    @Test
    void aDatabaseThatCanBeUsedIsSound() throws Exception {
        ClusterConfig config = config(url("postgres", "127.0.0.1:" + postgres.port()), "check");
        List<DiagnosticFinding> before = new ClusterCheck(config).run();
        assertEquals(List.of(true, true, true), sound(before), before::toString);
        assertTrue(before.toString().contains("check will be made"), before::toString);
        Migrations migrations = new Migrations(ClusterServers.direct(config).jdbc(), "check");
        migrations.run();
        migrations.run();
        List<DiagnosticFinding> after = new ClusterCheck(config).run();
        assertTrue(after.toString().contains("check is up to date"), after::toString);
        postgres.sql("UPDATE \"check\".requirement SET least = 99");
        List<DiagnosticFinding> newer = new ClusterCheck(config).run();
        assertEquals(List.of(true, false, true), sound(newer), newer::toString);
        assertTrue(newer.get(1).detail().contains("migration 99"), newer::toString);
        assertThrows(IllegalStateException.class, migrations::run);
    }

    @Test
    void theNewestMigrationIsKnownByItsNumber() throws Exception {
        ClusterConfig config = config(url("postgres", "127.0.0.1:" + postgres.port()), "newest");
        new Migrations(ClusterServers.direct(config).jdbc(), "newest").run();
        assertEquals(
                Integer.toString(Migrations.NEWEST),
                postgres.sql("SELECT max(version::int) FROM newest.migration").strip());
    }

    @Test
    void ofSeveralServersTheOneThatAnswersIsUsed() {
        String hosts = "127.0.0.1:1,127.0.0.1:" + postgres.port();
        List<DiagnosticFinding> findings = new ClusterCheck(config(url("postgres", hosts), "several")).run();
        assertEquals(List.of(true, true, true), sound(findings), findings::toString);
    }

    @Test
    void whoMayNotMakeTheSchemaIsTold() {
        postgres.sql("CREATE ROLE weak LOGIN");
        List<DiagnosticFinding> findings =
                new ClusterCheck(config(url("weak", "127.0.0.1:" + postgres.port()), "weak")).run();
        assertEquals(List.of(true, false, true), sound(findings), findings::toString);
        assertTrue(findings.toString().contains("run CREATE SCHEMA weak AUTHORIZATION weak"), findings::toString);
        postgres.sql("CREATE SCHEMA weak; GRANT USAGE ON SCHEMA weak TO weak");
        List<DiagnosticFinding> there =
                new ClusterCheck(config(url("weak", "127.0.0.1:" + postgres.port()), "weak")).run();
        assertTrue(
                there.get(1)
                        .detail()
                        .contains(
                                "the user weak may not create tables in the schema weak: run ALTER SCHEMA weak OWNER TO weak"),
                there::toString);
    }

    @Test
    void noPasswordIsShown() {
        List<DiagnosticFinding> findings = new ClusterCheck(config(url("postgres:hunter2", "127.0.0.1:1"), "s")).run();
        assertFalse(findings.getFirst().sound());
        assertFalse(findings.toString().contains("hunter2"), findings::toString);
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> new ClusterCheck(config("mysql://u:hunter2@h/d", "s")));
        assertEquals(
                "cluster.database is not a URL of the form postgres://user:password@host:5432/database",
                refused.getMessage());
    }
}
