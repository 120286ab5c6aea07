package switchboard.console;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;

/**
 * Sessions of people who have signed in, of one gateway or of several. What is looked up fails with {@link
 * SignInUnavailableException} if it can't be known now. Thread-safe.
 */
public interface SignInSessions {
    /** Uses the session {@code token}; empty if there is none, or none any more. */
    Future<Optional<ConsoleSignIn.SignedIn>> find(@Nullable String token);

    /**
     * Looks again and again whether a session goes on.
     *
     * @param person who was found with the session {@code token}
     */
    SessionWatch watch(@Nullable String token, ConsoleSignIn.SignedIn person);

    /** When a session ends at the latest that is opened now. */
    Instant endOfNew();

    /** Opens a session. */
    Future<ConsoleSignIn.SignInOutcome> open(Principal principal);

    /** Ends the session {@code token}, if there is one. */
    Future<Void> end(String token);
}
