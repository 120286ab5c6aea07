package switchboard.federation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.call.UnknownFields;

/**
 * The outcome of one source in a search. Names are those on the wire.
 *
 * @param source {@code <backend>:<source>}, or the backend's id if it could not list its sources
 * @param status the outcome
 * @param hits number of passages
 * @param ms duration in milliseconds
 * @param detail why it is not {@code ok}, and what to do; null if it is
 * @param failure the failure, or null if it answered; not on the wire
 */
record SourceStatus(
        String source,
        Status status,
        int hits,
        long ms,
        @Nullable String detail,
        @JsonIgnore ToolReply.@Nullable Failed failure) {
    /** The outcome of a source that answered; {@code lacking} says what its answer lacks, if anything. */
    static SourceStatus answered(String source, int hits, long ms, @Nullable String lacking) {
        return new SourceStatus(source, lacking == null ? Status.OK : Status.PARTIAL, hits, ms, lacking, null);
    }

    /** The outcome of a source, or of a backend, that failed. */
    static SourceStatus failed(String source, ToolReply.Failed failure, long ms) {
        return new SourceStatus(source, Status.of(failure.kind()), 0, ms, failure.message(), failure);
    }

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

    /** Whether the query, such as a filter, was wrong for the source. */
    @JsonIgnore
    boolean refused() {
        return failure != null && failure.kind() == FailureKind.INVALID_ARGUMENT;
    }

    /** The fields of the filter that the source does not know; empty if it knows all, or did not say. */
    Optional<UnknownFields> unknownFields() {
        return failure == null ? Optional.empty() : UnknownFields.in(failure);
    }

    @JsonIgnore
    boolean answered() {
        return status == Status.OK || status == Status.PARTIAL;
    }
}
