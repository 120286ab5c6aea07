package switchboard.config;

/** Settings of a backend that may keep its documents in the database that gateways share. */
public interface SharesDocuments {
    /** Whether it does. */
    boolean sharesDocuments();
}
