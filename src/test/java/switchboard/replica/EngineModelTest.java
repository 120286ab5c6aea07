package switchboard.replica;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import switchboard.testing.ChunkServer;
import switchboard.testing.PostgresCluster;

/** The model with chunks in a Weaviate: a stand-in, or a real one that {@code WEAVIATE_URL} names. */
@Tag("engines")
class EngineModelTest extends ReplicatedModel {
    private static final ChunkServer SERVER = ChunkServer.realOrStandIn();

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @Override
    ReplicaNode node(PostgresCluster database, String name, Path files) {
        return new ReplicaNode(database, name, files, SERVER);
    }

    @Override
    double share() {
        return 0.5;
    }
}
