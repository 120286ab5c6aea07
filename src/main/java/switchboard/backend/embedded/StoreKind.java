package switchboard.backend.embedded;

/** Where an embedded store keeps its documents. */
public enum StoreKind {
    /** In its data folder. */
    LOCAL,
    /** In the database that gateways share; the data folder follows it. */
    CLUSTER
}
