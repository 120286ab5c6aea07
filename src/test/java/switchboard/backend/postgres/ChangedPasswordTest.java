package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;

/** Passwords of roles that are changed under load: new connections have the new one, and no call fails. */
@Tag("engines")
class ChangedPasswordTest {
    @TempDir
    Path folder;

    @Test
    void newConnectionsHaveTheNewPasswordAndNoCallFails() throws Exception {
        try (PostgresCluster cluster = PostgresCluster.alone()) {
            for (String role : List.of("direct", "url_one", "url_two")) {
                cluster.sql("CREATE ROLE " + role + " LOGIN PASSWORD 'old-password'");
            }
            cluster.sql("ALTER ROLE url_two PASSWORD 'new-password'");
            Path rules = Path.of(cluster.sql("SHOW hba_file").strip());
            Files.writeString(
                    rules, "host all direct,url_one,url_two 127.0.0.1/32 scram-sha-256\n" + Files.readString(rules));
            cluster.sql("SELECT pg_reload_conf()");
            Path password = Files.writeString(folder.resolve("password"), "old-password");
            Path url = Files.writeString(folder.resolve("url"), url(cluster, "url_one:old-password"));
            try (TestGateway gateway = TestGateway.start("""
                    embedders: {default: {provider: none}}
                    backends:
                      direct:
                        type: postgres
                        connection:
                          {host: 127.0.0.1, port: %1$d, database: %2$s, user: direct, password: "${file:password}"}
                      url:
                        type: postgres
                        connection: {url: "${file:url}"}
                    """.formatted(cluster.port(), cluster.database()), folder)) {
                Queue<String> failures = new ConcurrentLinkedQueue<>();
                AtomicBoolean done = new AtomicBoolean();
                List<Thread> load = new ArrayList<>();
                for (String backend : List.of("direct", "url")) {
                    load.add(Thread.ofVirtual().start(() -> {
                        McpTestClient client = gateway.modern();
                        while (!done.get()) {
                            call(client, backend, failures);
                        }
                    }));
                }
                McpTestClient client = gateway.modern();
                call(client, "direct", failures);
                call(client, "url", failures);
                cluster.sql("ALTER ROLE direct PASSWORD 'new-password'");
                ReplacedFile.write(password, "new-password");
                ReplacedFile.write(url, url(cluster, "url_two:new-password"));
                // Two looks after the change it is in force; a third shows that the second is over.
                for (int look = 0; look < 3; look++) {
                    gateway.app().reload();
                }
                done.set(true);
                for (Thread thread : load) {
                    thread.join();
                }
                // A role has one password, so what connects between its change and the file's is refused; nothing else
                // is.
                failures.removeIf(failure -> failure.contains("user \\\"direct\\\" (SQLSTATE 28P01)"));
                assertEquals(List.of(), List.copyOf(failures));
                cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE usename IN ('direct', 'url_one', 'url_two')");
                // The client hears of the ends of its idle connections a moment later.
                for (String backend : List.of("direct", "url")) {
                    Eventually.within(
                            Eventually.OF_A_PROCESS,
                            () -> !client.call(backend + "__query_database", "{\"query\": \"SELECT 1\"}")
                                    .isError(),
                            () -> backend + " is connected anew");
                    call(client, backend, failures);
                }
                assertEquals(List.of(), List.copyOf(failures));
            }
        }
    }

    private static String url(PostgresCluster cluster, String credentials) {
        return "postgres://" + credentials + "@127.0.0.1:" + cluster.port() + "/" + cluster.database();
    }

    private static void call(McpTestClient client, String backend, Queue<String> failures) {
        var result = client.call(backend + "__query_database", "{\"query\": \"SELECT 1\"}");
        if (result.isError()) {
            failures.add(result.toString());
        }
    }
}
