package switchboard.call;

import java.util.Arrays;

/** The requests about a task that has begun. */
public enum TaskRequest {
    /** Asks for the task as it is now. */
    GET("tasks/get"),
    /** Answers what the task asks its client. */
    UPDATE("tasks/update"),
    /** Asks to cancel the task; it may still end otherwise. */
    CANCEL("tasks/cancel");

    private final String method;

    TaskRequest(String method) {
        this.method = method;
    }

    /** The method of this request in JSON-RPC, such as {@code tasks/get}. */
    public String method() {
        return method;
    }

    /** Whether {@code method} is the method of one of them. */
    public static boolean has(String method) {
        return Arrays.stream(values()).anyMatch(request -> request.method.equals(method));
    }
}
