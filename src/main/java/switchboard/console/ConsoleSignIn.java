package switchboard.console;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Principal;

/**
 * Who uses the console, and how they show who they are. What is looked up fails with {@link SignInUnavailableException} if it
 * can't be known now. Thread-safe.
 */
public interface ConsoleSignIn {
    /**
     * A person who uses the console.
     *
     * @param principal what the person may do now
     * @param expires when the session ends at the latest, or null if there is none that could end
     */
    record SignedIn(Principal principal, @Nullable Instant expires) {}

    /** What came of a sign-in. */
    sealed interface SignInOutcome {
        /**
         * A new session.
         *
         * @param token the secret that its browser keeps
         */
        record Opened(String token, SignedIn person) implements SignInOutcome {
            /** Does not contain the token. */
            @Override
            public String toString() {
                return "Opened[" + person + "]";
            }
        }

        /** The key, or what an issuer says of the person, was not accepted. */
        record NotSignedIn(AuthOutcome.Rejected why) implements SignInOutcome {}
    }

    /** {@code none}: everybody who reaches the console may use it; {@code keys}: by the API key of a team. */
    String mode();

    /** The person with the session {@code token}; empty if one has to sign in. */
    Future<Optional<SignedIn>> signedIn(@Nullable String token);

    /**
     * Looks again and again whether a session goes on.
     *
     * @param person who was found with the session {@code token}
     */
    SessionWatch watch(@Nullable String token, SignedIn person);

    /**
     * Opens a session for the holder of {@code key}.
     *
     * @param address the person's network address, for the limit on failures
     */
    Future<SignInOutcome> signIn(String key, String address);

    /** How one signs in at an issuer; empty if one can't. */
    Optional<OpenIdSignIn> openId();

    /** Ends the session {@code token}, if there is one. */
    Future<Void> signOut(String token);
}
