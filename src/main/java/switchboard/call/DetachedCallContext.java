package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** The context of a call without a listener: progress and logs are dropped, and no client can be asked. */
public interface DetachedCallContext extends CallContext {
    @Override
    default Caller caller() {
        return Caller.unrestricted();
    }

    @Override
    default void progress(double progress, @Nullable Double total, @Nullable String message) {}

    @Override
    default void log(LogLevel level, String logger, JsonNode data) {}

    @Override
    default boolean wantsEvents() {
        return false;
    }

    @Override
    default @Nullable LogLevel logLevel() {
        return null;
    }

    @Override
    default CallingClient client() {
        return CallingClient.SILENT;
    }

    @Override
    default Future<ClientAnswer> ask(ClientQuestion question) {
        return Future.succeededFuture(ClientAnswer.Declined.NOBODY);
    }

    @Override
    default @Nullable SessionValues session() {
        return null;
    }
}
