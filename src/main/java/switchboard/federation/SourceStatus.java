package switchboard.federation;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;

/**
 * How one source did in a search; names are those on the wire.
 *
 * @param source {@code <backend>:<source>}, or the backend's id when it could not even say what it has
 * @param status how it went
 * @param hits how many passages it gave
 * @param ms how long it took, in milliseconds
 * @param detail why it is not {@code ok}, and what to do; null when it is
 */
record SourceStatus(
        String source,
        Status status,
        int hits,
        long ms,
        @Nullable String detail) {
    /** How it went. */
    enum Status {
        /** It gave what it has. */
        OK,
        /** It answered, but not as well as it could: without vectors, say. */
        PARTIAL,
        /** It did not answer in time. */
        TIMEOUT,
        /** The asker may not search it. */
        DENIED,
        /** It failed, or can't apply the filters. */
        ERROR;

        /** On the wire. */
        @com.fasterxml.jackson.annotation.JsonValue
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Status of(FailureKind kind) {
            return switch (kind) {
                case TIMEOUT, CANCELLED -> TIMEOUT;
                case DENIED, DENIED_UPSTREAM -> DENIED;
                case INVALID_ARGUMENT, NOT_FOUND, CONFLICT, UNAVAILABLE, OVERLOADED, INTERNAL -> ERROR;
            };
        }
    }

    boolean answered() {
        return status == Status.OK || status == Status.PARTIAL;
    }
}
