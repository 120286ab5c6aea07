package switchboard.backend.vectordb;

/** Where libraries are kept. */
public enum LibraryStore {
    /** In the data folder. */
    LOCAL,
    /** In the database that gateways share; the data folder follows it. */
    CLUSTER,
    /** The same, with chunks and vectors in a Weaviate cluster. */
    WEAVIATE
}
