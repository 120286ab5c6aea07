package switchboard.replica;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import switchboard.testing.PostgresCluster;

/** The model with documents in the database. */
@Tag("engines")
class ReplicatedModelTest extends ReplicatedModel {
    @Override
    ReplicaNode node(PostgresCluster database, String name, Path files) {
        return new ReplicaNode(database, name, files);
    }

    @Override
    double share() {
        return 1;
    }
}
