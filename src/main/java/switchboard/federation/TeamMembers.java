package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Map;
import switchboard.auth.TeamDirectory;
import switchboard.call.Claim;
import switchboard.catalog.View;

/** The teams as they are now, and what is known of their members. Thread-safe. */
public interface TeamMembers {
    /** The teams in use. */
    TeamDirectory directory();

    /** The time at which keys are valid or not. */
    Instant now();

    /**
     * What the gateway would know about somebody with these claims.
     *
     * @param claims by name, a text or a list of texts; those that no issuer's {@code carry} names are left out
     */
    Map<String, Claim> known(ObjectNode claims);

    /** The view of that name, {@code ""} for the default one; without tools and backends if there is none. */
    View view(String name);
}
