package switchboard.backend.vectordb;

/** Where a {@code vectordb} backend keeps its documents, their chunks and vectors. */
public enum LibraryStore {
    /** In the data folder. */
    LOCAL,
    /** In the database that gateways share; the data folder follows it. */
    CLUSTER,
    /** The same, with chunks and vectors in a Weaviate cluster. */
    WEAVIATE
}
