package switchboard.cluster;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;

/**
 * A session of the console.
 *
 * @param owner who has signed in
 * @param grant what an issuer has said of the person, as JSON; null for who has signed in with a key
 * @param ends when it ends at the latest, by the database's clock
 */
public record ConsoleSessionRow(PrincipalId owner, @Nullable String grant, Instant ends) {
    /** Does not contain what the issuer has said, which is personal data. */
    @Override
    public String toString() {
        return "ConsoleSessionRow[" + owner + ", ends=" + ends + "]";
    }
}
