package switchboard.http;

import org.jspecify.annotations.Nullable;

/** Notified when credentials are rejected. Called on event loops, so it must not block. */
@FunctionalInterface
public interface AuthFailureListener {
    /** Does nothing. */
    AuthFailureListener NONE = (_, _, _, _) -> {};

    /**
     * A request was rejected.
     *
     * @param address the caller's address
     * @param view the requested view; may not exist
     * @param traceparent the W3C trace context as received, or null
     * @param reason a word: {@code missing}, {@code invalid}, {@code expired}, ...
     */
    void refused(String address, String view, @Nullable String traceparent, String reason);
}
