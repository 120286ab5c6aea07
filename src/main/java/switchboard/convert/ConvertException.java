package switchboard.convert;

import java.util.Objects;

/** A document that can't be converted to text. The message is safe to show to the caller. */
public final class ConvertException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The reason. */
    public enum Reason {
        /** The format is not supported. */
        UNSUPPORTED,
        /** The bytes are not valid for the format: damaged, truncated, encrypted, or with the wrong extension. */
        UNREADABLE,
        /** The unpacked document is larger than allowed. */
        TOO_LARGE
    }

    private final Reason reason;

    /** Makes an exception. */
    public ConvertException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** The reason. */
    public Reason reason() {
        return reason;
    }

    /** The problem, for the caller. */
    public String explanation() {
        return Objects.requireNonNull(getMessage());
    }
}
