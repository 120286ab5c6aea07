package switchboard.federation;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;

/**
 * The outcome of one source in a search. Names are those on the wire.
 *
 * @param source {@code <backend>:<source>}, or the backend's id if it could not list its sources
 * @param status the outcome
 * @param hits number of passages
 * @param ms duration in milliseconds
 * @param detail why it is not {@code ok}, and what to do; null if it is
 */
record SourceStatus(
        String source,
        Status status,
        int hits,
        long ms,
        @Nullable String detail) {
    /** The outcome. */
    enum Status {
        /** The source was searched. */
        OK,
        /** It was searched with restrictions, for example without vectors. */
        PARTIAL,
        /** It did not answer in time. */
        TIMEOUT,
        /** The caller may not search it. */
        DENIED,
        /** It failed, or can't apply the filters. */
        ERROR;

        /** The name on the wire. */
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

    /** The milliseconds since {@code start}, a value of {@code System.nanoTime()}. */
    static long millisSince(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    boolean answered() {
        return status == Status.OK || status == Status.PARTIAL;
    }
}
