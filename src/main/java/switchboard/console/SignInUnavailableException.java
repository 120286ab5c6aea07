package switchboard.console;

import org.jspecify.annotations.Nullable;

/** Who is signed in can't be known now. It has no stack trace, because this is expected while a database is away. */
public final class SignInUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** After how many seconds it may be worth another try. */
    public static final int RETRY_SECONDS = 2;

    /** With the failure that is the reason, or null. */
    public SignInUnavailableException(@Nullable Throwable cause) {
        super(
                "The database that the gateways share can't be used now, and says who is signed in. Nobody is signed out by this."
                        + " Try again in a moment.",
                cause,
                false,
                false);
    }
}
