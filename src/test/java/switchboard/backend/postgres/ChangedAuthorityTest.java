package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PgBouncer;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ServerCertificate;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The file of the authority of a server's certificate changes: new connections trust whom it names now. */
@Tag("engines")
class ChangedAuthorityTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    @TempDir
    Path folder;

    private Path authority;
    private TestGateway gateway;

    private ToolResult call(String query) {
        McpTestClient client = gateway.modern();
        return client.call("postgres__query_database", "{\"query\": \"" + query + "\"}");
    }

    private void works() {
        for (int i = 0; i < 5; i++) {
            ToolResult result = call("SELECT " + i);
            assertFalse(result.isError(), result::toString);
        }
    }

    /** The client hears of the ends of its idle connections a moment later. */
    private void worksAgain() {
        Eventually.within(Eventually.OF_A_PROCESS, () -> !call("SELECT 1").isError(), () -> "new connections");
        works();
    }

    private void gauge(int value) {
        String line = "switchboard_files_outdated{files=\"secrets\"} " + value;
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.management("/metrics").body().contains(line),
                () -> line);
    }

    /** Two looks after a change it is in force. */
    private void trusts(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("next.pem"), text);
        Files.move(next, authority, StandardCopyOption.REPLACE_EXISTING);
        for (int look = 0; look < 3; look++) {
            gateway.app().reload();
        }
    }

    @Test
    void newConnectionsTrustWhomTheFileNamesNow() throws IOException {
        String reader = PostgresFixture.reader(CLUSTER);
        try (ServerCertificate one = ServerCertificate.of("localhost");
                ServerCertificate next = ServerCertificate.of("localhost")) {
            String oldText = Files.readString(one.certificate());
            String newText = Files.readString(next.certificate());
            authority = Files.writeString(folder.resolve("authority.pem"), oldText);
            PgBouncer first = PgBouncer.startTls(CLUSTER.port(), one, reader);
            int port = first.port();
            gateway = TestGateway.start("""
                    embedders: {default: {provider: none}}
                    backends:
                      postgres:
                        type: postgres
                        connection:
                          host: localhost
                          port: %d
                          database: %s
                          user: %s
                          sslMode: verify-full
                          sslRootCert: "%s"
                        pool: {pgbouncer: true}
                    """.formatted(port, CLUSTER.database(), reader, authority));
            try {
                works();
                trusts(newText.substring(0, newText.length() / 2));
                gauge(1);
                works();
                trusts(newText + oldText);
                gauge(0);
                works();
                first.close();
                try (PgBouncer second = PgBouncer.startTls(CLUSTER.port(), port, next, reader)) {
                    worksAgain();
                    assertEquals(port, second.port());
                    trusts(newText);
                    works();
                }
                try (PgBouncer back = PgBouncer.startTls(CLUSTER.port(), port, one, reader)) {
                    for (int i = 0; i < 5; i++) {
                        assertEquals("UNAVAILABLE", call("SELECT 1").errorKind(), () -> "on port " + back.port());
                    }
                    trusts(newText + oldText);
                    worksAgain();
                }
            } finally {
                gateway.close();
            }
        }
    }
}
