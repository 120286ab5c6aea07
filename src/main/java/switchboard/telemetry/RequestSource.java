package switchboard.telemetry;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.Tracing;

/**
 * The origin of a request.
 *
 * @param requestId the gateway's unique id of the request
 * @param traceparent the W3C trace context of the request, or null
 * @param address the caller's network address, or {@code local}
 * @param view the view, {@code ""} for the default one
 */
public record RequestSource(String requestId, @Nullable String traceparent, String address, String view) {
    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    /** A new id: 122 random bits. The generator need not be a secure one, because the id opens nothing. */
    public static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long version = (random.nextLong() & ~0xF000L) | 0x4000L;
        long variant = (random.nextLong() & ~(3L << 62)) | (1L << 63);
        return new UUID(version, variant).toString();
    }

    /**
     * The source of a message that was refused before it was read.
     *
     * @param traceparent the header as it was sent, or null; ignored if it is not valid
     */
    public static RequestSource unread(@Nullable String traceparent, String address, String view) {
        return new RequestSource(newId(), valid(traceparent) ? traceparent : null, address, view);
    }

    /** Whether {@code traceparent} is a W3C trace context. */
    public static boolean valid(@Nullable String traceparent) {
        return traceparent != null && TRACEPARENT.matcher(traceparent).matches();
    }

    /** The id of the W3C trace that the request belongs to, or null. */
    public @Nullable String traceId() {
        return Tracing.traceId(traceparent);
    }
}
