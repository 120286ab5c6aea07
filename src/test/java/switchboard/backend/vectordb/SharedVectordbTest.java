package switchboard.backend.vectordb;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** The contract with documents in the database. */
@Tag("engines")
class SharedVectordbTest extends TwoNodesVectordbContract {
    @Override
    LibraryStore store() {
        return LibraryStore.CLUSTER;
    }

    @Override
    VectordbSettings.@Nullable WeaviateCluster weaviate() {
        return null;
    }
}
