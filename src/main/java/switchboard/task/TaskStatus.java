package switchboard.task;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The status of a task. */
public enum TaskStatus {
    /** It waits for its turn or runs. */
    WORKING(null),
    /** It waits for answers of the client. */
    INPUT_REQUIRED("inputRequests"),
    /** The call was answered with a result, which may report a failure of the tool. */
    COMPLETED("result"),
    /** The call was answered with an error of the protocol. */
    FAILED("error"),
    /** It was cancelled before the call was answered. */
    CANCELLED(null);

    private final @Nullable String detail;

    TaskStatus(@Nullable String detail) {
        this.detail = detail;
    }

    /** Its name on the wire. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The status with that name on the wire. */
    public static Optional<TaskStatus> of(String word) {
        return Arrays.stream(values())
                .filter(status -> status.word().equals(word))
                .findFirst();
    }

    /** The field that a task of this status has besides those of all tasks; empty for none. */
    public Optional<String> detail() {
        return Optional.ofNullable(detail);
    }

    /** Whether it has ended: completed, failed or cancelled, so that its status does not change any more. */
    public boolean terminal() {
        return switch (this) {
            case WORKING, INPUT_REQUIRED -> false;
            case COMPLETED, FAILED, CANCELLED -> true;
        };
    }
}
