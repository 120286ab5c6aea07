package switchboard.backend.weaviate;

import java.util.Optional;

/** Where the vectors of which collection come from. */
@FunctionalInterface
interface CollectionVectors {
    /** Those of {@code collection}; empty where the gateway makes none. */
    Optional<Vectors> of(String collection);
}
