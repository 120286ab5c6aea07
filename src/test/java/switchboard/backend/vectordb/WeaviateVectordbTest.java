package switchboard.backend.vectordb;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import switchboard.config.Secret;
import switchboard.testing.ChunkServer;
import switchboard.upstream.UpstreamSettings;

/** The contract with chunks in a Weaviate: a stand-in, or a real one that {@code WEAVIATE_URL} names. */
@Tag("engines")
class WeaviateVectordbTest extends TwoNodesVectordbContract {
    private static final ChunkServer SERVER = ChunkServer.realOrStandIn();

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @Override
    LibraryStore store() {
        return LibraryStore.WEAVIATE;
    }

    @Override
    VectordbSettings.WeaviateCluster weaviate() {
        return new VectordbSettings.WeaviateCluster(
                SERVER.url(), SERVER.key().map(Secret::of).orElse(null), 2, 1, UpstreamSettings.defaults());
    }
}
