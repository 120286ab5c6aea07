package switchboard.backend.agentroot;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import switchboard.backend.BackendServices;
import switchboard.backend.SharedApprovals;
import switchboard.call.CallerTokens;
import switchboard.call.Tracing;
import switchboard.concurrent.TeamShare;
import switchboard.embed.DeclaredEmbedders;
import switchboard.replica.ReplicaNode;
import switchboard.testing.BackendHarness;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;

/** Two nodes on a database, for all tests of a class. */
final class SharedNodes implements BeforeAllCallback, AfterAllCallback {
    private final PostgresCluster postgres = new PostgresCluster();
    private final List<ReplicaNode> all = new ArrayList<>();
    private Path folder;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        postgres.beforeAll(context);
        folder = Files.createTempDirectory("switchboard-nodes-");
        for (int number = 0; number < 2; number++) {
            all.add(new ReplicaNode(postgres, "shared", folder.resolve("n" + number)).joined());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        all.forEach(ReplicaNode::close);
        Programs.delete(folder);
    }

    /** Removes what earlier tests have left. */
    void clear() {
        postgres.sql(
                "UPDATE shared.library SET live = false, changed = now(), touched = pg_current_xact_id() WHERE live");
        postgres.sql("DELETE FROM shared.search_session");
    }

    /** Runs a statement on the database. */
    String sql(String statement) {
        return postgres.sql(statement).strip();
    }

    /** The session was last used so many seconds earlier than it was. */
    void unusedFor(String session, int seconds) {
        postgres.sql("UPDATE shared.search_session SET used = used - interval '" + seconds + " seconds' WHERE id = '"
                + session + "'");
    }

    /** Starts a backend on each node, which answer in turn. */
    BackendHarness start(AgentrootModule module, AgentrootSettings settings, Path data, Clock clock) {
        return one(0, module, settings, data, clock).inTurnWith(one(1, module, settings, data, clock));
    }

    /** Starts a backend on the node {@code number}. */
    BackendHarness one(int number, AgentrootModule module, AgentrootSettings settings, Path data, Clock clock) {
        return BackendHarness.start(
                module,
                settings,
                new BackendServices(
                        Vertx.vertx(),
                        new SimpleMeterRegistry(),
                        clock,
                        data.resolve("node" + number),
                        Tracing.OFF,
                        DeclaredEmbedders.NONE,
                        Map.of(),
                        TeamShare.ALL,
                        SharedApprovals.NONE,
                        CallerTokens.NONE,
                        Optional.of(all.get(number).cluster().documents())));
    }
}
