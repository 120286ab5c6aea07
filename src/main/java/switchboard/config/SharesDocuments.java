package switchboard.config;

import java.nio.file.Path;

/** Settings of a backend that may keep its documents in the database that gateways share. */
public interface SharesDocuments {
    /** Whether it does. */
    boolean sharesDocuments();

    /** Its folder. */
    Path dataDir();
}
