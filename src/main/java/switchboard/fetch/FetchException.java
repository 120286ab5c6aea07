package switchboard.fetch;

import java.util.Objects;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** A failed fetch. The message is safe to show to the caller. */
public final class FetchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The reason. */
    public enum Reason {
        /** The URL is not valid. */
        BAD_URL,
        /** The address, or that of a redirect, must not be fetched. */
        REFUSED,
        /** The server has no such page. */
        NOT_FOUND,
        /** The server refused the request: another status from 400 to 499. */
        NOT_GIVEN,
        /** The server answered with another error status. */
        STATUS,
        /** The body is larger than allowed. */
        TOO_LARGE,
        /** The time limit is over. */
        TIMEOUT,
        /** Unknown host, no connection, an invalid answer, or too many redirects. */
        NETWORK,
        /** The fetch was cancelled. */
        CANCELLED,
        /** Too many fetches at once. */
        OVERLOADED
    }

    private final Reason reason;

    FetchException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    /** The reason. */
    public Reason reason() {
        return reason;
    }

    /** What is wrong, for the caller. */
    public String explanation() {
        return Objects.requireNonNull(getMessage());
    }

    /** Converts it to the failure of a tool. */
    public ToolException toToolException() {
        FailureKind kind =
                switch (reason) {
                    case BAD_URL, TOO_LARGE -> FailureKind.INVALID_ARGUMENT;
                    case REFUSED -> FailureKind.DENIED;
                    case NOT_FOUND -> FailureKind.NOT_FOUND;
                    case NOT_GIVEN, STATUS, NETWORK -> FailureKind.UNAVAILABLE;
                    case TIMEOUT -> FailureKind.TIMEOUT;
                    case CANCELLED -> FailureKind.CANCELLED;
                    case OVERLOADED -> FailureKind.OVERLOADED;
                };
        String step =
                switch (reason) {
                    case BAD_URL -> "Give the address of a page that begins with http or https.";
                    case REFUSED -> "Use another page.";
                    case NOT_FOUND -> "Check the address.";
                    case NOT_GIVEN -> "Use a page that needs no login.";
                    case TOO_LARGE -> "Use a smaller page.";
                    case STATUS, NETWORK, TIMEOUT, CANCELLED, OVERLOADED -> "Try again later.";
                };
        return new ToolException(kind, EngineMessageSanitizer.then(explanation(), step));
    }
}
