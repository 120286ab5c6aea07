package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;

/** Readiness asks PostgreSQL in each database as each role, and names the one that can't be used. */
@Tag("engines")
class RolesAndReadinessTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static String reader;

    @TempDir
    Path folder;

    @BeforeAll
    static void roles() {
        reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("CREATE ROLE ready_red LOGIN; CREATE ROLE ready_green LOGIN");
    }

    /** The backend's part once it was asked; {@code status} is that of the whole answer. */
    private JsonNode backend(String user, String more, int status) {
        try (TestGateway gateway =
                TestGateway.start("""
                embedders: {default: {provider: none}}
                backends:
                  pg:
                    type: postgres
                    required: true
                    connection: {host: 127.0.0.1, port: %d, database: %s, user: %s}
                %s
                """.formatted(CLUSTER.port(), CLUSTER.database(), user, more.indent(4)), folder)) {
            Eventually.that(
                    () -> !gateway.management("/health/ready").body().contains("not asked yet"),
                    () -> gateway.management("/health/ready").body());
            HttpReply reply = gateway.management("/health/ready");
            assertEquals(status, reply.status(), reply::body);
            return reply.json().path("backends").path(0);
        }
    }

    @Test
    void aRoleThatCantLogInIsNamedAndTheOthersGoOn() {
        JsonNode both = backend(reader, "access: {roles: {red: {user: ready_red}}}", 200);
        assertEquals("up", both.path("status").asText(), both::toString);

        JsonNode one = backend(reader, "access: {roles: {red: {user: ready_red}, blue: {user: nobody_here}}}", 200);
        assertEquals("degraded", one.path("status").asText(), one::toString);
        assertTrue(one.path("detail").asText().contains("as nobody_here: "), one::toString);
        assertTrue(!one.path("detail").asText().contains("as ready_red"), one::toString);
    }

    @Test
    void aDatabaseThatIsNotThereIsNamedAndTheOthersGoOn() {
        JsonNode one = backend(
                reader,
                "databases: {other: {host: 127.0.0.1, port: %d, database: not_there, user: %s}}"
                        .formatted(CLUSTER.port(), reader),
                200);
        assertEquals("degraded", one.path("status").asText(), one::toString);
        assertTrue(one.path("detail").asText().contains("other"), one::toString);
    }

    @Test
    void withoutTheDefaultRoleItIsDown() {
        JsonNode none = backend("nobody_either", "access: {roles: {green: {user: ready_green}}}", 503);
        assertEquals("down", none.path("status").asText(), none::toString);
    }
}
