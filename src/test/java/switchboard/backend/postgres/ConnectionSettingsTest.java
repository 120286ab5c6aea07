package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.config.Secret;

/** Where settings, URLs and {@code PG*} variables lead. */
class ConnectionSettingsTest {
    private static PostgresSettings.Connection connection(
            @Nullable String url, @Nullable String host, @Nullable Integer port) {
        return new PostgresSettings.Connection(
                url == null ? null : Secret.of(url), host, port, null, null, null, null, null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postgres://me:pw@h:5433/db|||[h:5433]",
                "postgresql://me@h/db|||[h:5432]",
                "postgresql://me@h1,h2/db|||[h1:5432, h2:5432]",
                "postgres://me:p%2Cw@h1:1,h2:2,[::1]:3/db?sslmode=prefer|||[h1:1, h2:2, [::1]:3]",
                "postgres://me@h1:1,h2/db||7|[h1:7, h2:7]",
                "postgres://me@h1:1/db|x, y:2||[x:1, y:2]",
                "|h|1|[h:1]",
                "|10.0.0.1:6432,::1,[fe80::1]|1|[10.0.0.1:6432, [::1]:1, [fe80::1]:1]"
            })
    void addressesInOrder(@Nullable String url, @Nullable String host, @Nullable Integer port, String addresses) {
        assertEquals(
                addresses,
                ConnectionSettings.of(connection(url, host, port)).addresses().toString());
    }

    @Test
    void aUrlSaysEverything() {
        PgConnectOptions options = ConnectionSettings.of(
                        connection("postgres://me:p%40ss@h1,h2:7/app?sslmode=require&application_name=x", null, null))
                .options();
        assertEquals("me", options.getUser());
        assertEquals("p@ss", options.getPassword());
        assertEquals("app", options.getDatabase());
        assertEquals(SslMode.REQUIRE, options.getSslMode());
        assertEquals(
                Map.of("application_name", "switchboard", "client_encoding", "utf8", "DateStyle", "ISO"),
                options.getProperties());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://h/db",
                "postgres://me:s3cretpw@h:99999/db",
                "postgres://me:s3cretpw@h:x,i/db",
                "s3cretpw"
            })
    void aWrongUrlIsNotRepeated(String url) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> ConnectionSettings.of(connection(url, null, null)));
        assertFalse(String.valueOf(refused.getMessage()).contains("s3cretpw"));
        assertEquals(null, refused.getCause());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,", "a:b", "[::1", "x:1:2", "a b:x"})
    void hostsThatAreNone(String host) {
        assertThrows(IllegalArgumentException.class, () -> ConnectionSettings.of(connection(null, host, 1)));
    }

    @Test
    void theVariablesOfLibpqFillWhatIsLeftOut() throws Exception {
        assertEquals(
                "[db1:6432, db2:6432] app me pw REQUIRE",
                printed(Map.of(
                        "PGHOST", "db1,db2",
                        "PGPORT", "6432",
                        "PGDATABASE", "app",
                        "PGUSER", "me",
                        "PGPASSWORD", "pw",
                        "PGSSLMODE", "require")));
        assertEquals("[localhost:5432] db user pass DISABLE", printed(Map.of()));
    }

    private static String printed(Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder program = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Print.class.getName());
        program.environment().keySet().removeIf(name -> name.startsWith("PG"));
        program.environment().putAll(environment);
        Process process = program.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(true, process.waitFor(60, TimeUnit.SECONDS));
        return output.lines().reduce((first, last) -> last).orElse("");
    }

    /** Prints where a connection goes that says nothing. */
    static final class Print {
        private Print() {}

        public static void main(String[] arguments) {
            ConnectionSettings connectionSettings = ConnectionSettings.of(PostgresSettings.Connection.FROM_ENVIRONMENT);
            PgConnectOptions options = connectionSettings.options();
            System.out.println(connectionSettings.addresses() + " " + options.getDatabase() + " " + options.getUser()
                    + " " + options.getPassword() + " " + options.getSslMode());
        }
    }
}
