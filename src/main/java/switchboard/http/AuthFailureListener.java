package switchboard.http;

import org.jspecify.annotations.Nullable;

/** Hears of requests that were not let in for their credentials. Called on event loops: must not block. */
@FunctionalInterface
public interface AuthFailureListener {
    /** Hears nothing. */
    AuthFailureListener UNHEARD = (_, _, _, _) -> {};

    /**
     * A request was refused.
     *
     * @param address of who sent it
     * @param view the view asked for, which need not exist
     * @param traceparent the W3C trace context as it came, or null
     * @param reason a word: {@code missing}, {@code invalid}, {@code expired}, ...
     */
    void refused(String address, String view, @Nullable String traceparent, String reason);
}
