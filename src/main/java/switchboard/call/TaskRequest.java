package switchboard.call;

import java.util.Arrays;

/** The requests about a task that has begun. */
public enum TaskRequest {
    /** Asks what has become of it. */
    GET("tasks/get"),
    /** Answers what it asks. */
    UPDATE("tasks/update"),
    /** Cancels it. */
    CANCEL("tasks/cancel");

    private final String method;

    TaskRequest(String method) {
        this.method = method;
    }

    /** Its method on the wire. */
    public String method() {
        return method;
    }

    /** Whether {@code method} is the method of one of them. */
    public static boolean has(String method) {
        return Arrays.stream(values()).anyMatch(request -> request.method.equals(method));
    }
}
