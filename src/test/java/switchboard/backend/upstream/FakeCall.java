package switchboard.backend.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.CallContext;
import switchboard.call.Caller;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.ClientSide;
import switchboard.call.LogLevel;
import switchboard.call.SessionValues;

/** A call with a deadline that a test takes back when it likes. */
final class FakeCall implements CallContext {
    private final long deadline;
    private final List<Runnable> actions = new ArrayList<>();
    private volatile boolean cancelled;

    FakeCall(Duration timeout) {
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    synchronized void cancel() {
        cancelled = true;
        actions.forEach(Runnable::run);
    }

    @Override
    public Caller caller() {
        return Caller.unrestricted();
    }

    @Override
    public String callId() {
        return "call";
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    @Override
    public boolean cancelled() {
        return cancelled || remaining().isZero();
    }

    @Override
    public synchronized void onCancel(Runnable action) {
        actions.add(action);
        if (cancelled) {
            action.run();
        }
    }

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
    public String traceparent() {
        return "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    }

    @Override
    public @Nullable SessionValues session() {
        return null;
    }
}
