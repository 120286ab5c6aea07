package switchboard.auth;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Tells callers to wait until the gateway knows which keys are revoked. */
public final class ReadyAuthenticator implements Authenticator {
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Authenticator authenticator;
    private final BooleanSupplier ready;

    /** Authenticates callers with {@code authenticator} once {@code ready} is true. */
    public ReadyAuthenticator(Authenticator authenticator, BooleanSupplier ready) {
        this.authenticator = authenticator;
        this.ready = ready;
    }

    @Override
    public Future<AuthOutcome> authenticate(Credentials credentials) {
        return ready.getAsBoolean() ? authenticator.authenticate(credentials) : notReady();
    }

    /** Finds out with {@code persons} who people are, once {@code ready} is true. */
    public static OpenIdClient.Persons of(OpenIdClient.Persons persons, BooleanSupplier ready) {
        return (text, expected) -> ready.getAsBoolean() ? persons.of(text, expected) : notReady();
    }

    private static Future<AuthOutcome> notReady() {
        return Future.succeededFuture(AuthErrors.later(
                AuthFailure.NOT_READY, "This gateway has not joined the others yet.", "Try again soon.", PAUSE));
    }
}
