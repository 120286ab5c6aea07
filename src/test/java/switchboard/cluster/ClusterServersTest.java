package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnectOptions;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.testing.PostgresCluster;

/** Which of several servers a node uses. */
@Tag("engines")
class ClusterServersTest {
    private static final Vertx VERTX = Vertx.vertx();

    @AfterAll
    static void close() {
        VERTX.close().timeout(1, TimeUnit.MINUTES).await();
    }

    private static ClusterServers servers(String url) {
        return ClusterServers.ofStatements(new ClusterConfig(Secret.of(url), null, null, null, "servers", "node", 2));
    }

    private static int port(ClusterServers servers) {
        Future<SqlConnectOptions> found = servers.writable(VERTX);
        return found.timeout(1, TimeUnit.MINUTES).await().getPort();
    }

    @Test
    void anOldPrimaryThatComesBackIsNotUsed() throws IOException {
        try (PostgresCluster old = PostgresCluster.alone()) {
            PostgresCluster standby = old.standby();
            old.sql("CREATE ROLE gateway LOGIN");
            String url = old.url().replace(old.superuser() + "@", "gateway@");
            ClusterServers before = servers(url);
            assertEquals(old.port(), port(before));
            old.kill();
            standby.promote();
            assertEquals(standby.port(), port(before));
            old.restart();
            assertEquals(standby.port(), port(before), "it was seen that the other one is newer");
            assertEquals(standby.port(), port(servers(url)), "nothing was seen, so all are asked");
            standby.kill();
            assertThrows(Exception.class, () -> port(before), "rather none than an old one");
        }
    }
}
