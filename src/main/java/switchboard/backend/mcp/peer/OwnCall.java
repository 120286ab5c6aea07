package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.backend.CallContext;
import switchboard.call.Caller;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.ClientSide;
import switchboard.call.LogLevel;
import switchboard.call.SessionValues;

/** A request that the gateway makes for itself: nobody hears or answers anything, and nobody takes it back. */
public final class OwnCall implements CallContext {
    private static final Duration STANDING = Duration.ofHours(1);

    private final long deadlineNanos;

    private OwnCall(Duration timeout) {
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    /** One that may take {@code timeout}. */
    public static OwnCall within(Duration timeout) {
        return new OwnCall(timeout);
    }

    /** One that stays open. */
    static OwnCall standing() {
        return new OwnCall(STANDING);
    }

    @Override
    public Caller caller() {
        return Caller.unrestricted();
    }

    @Override
    public String callId() {
        return "own";
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    @Override
    public boolean cancelled() {
        return remaining().isZero();
    }

    @Override
    public void onCancel(Runnable action) {}

    @Override
    public void progress(double progress, @Nullable Double total, @Nullable String message) {}

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {}

    @Override
    public boolean heard() {
        return false;
    }

    @Override
    public @Nullable LogLevel logLevel() {
        return null;
    }

    @Override
    public ClientSide client() {
        return ClientSide.SILENT;
    }

    @Override
    public Future<ClientAnswer> ask(ClientQuestion question) {
        return Future.succeededFuture(ClientAnswer.Refused.NOBODY);
    }

    @Override
    public @Nullable String traceparent() {
        return null;
    }

    @Override
    public @Nullable SessionValues session() {
        return null;
    }
}
