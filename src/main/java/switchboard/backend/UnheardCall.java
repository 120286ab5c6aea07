package switchboard.backend;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import switchboard.call.Caller;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.ClientSide;
import switchboard.call.LogLevel;
import switchboard.call.SessionValues;

/** A call that nobody waits at: what is said during it is heard by nobody, and nobody can be asked. */
public interface UnheardCall extends CallContext {
    @Override
    default Caller caller() {
        return Caller.unrestricted();
    }

    @Override
    default void progress(double progress, @Nullable Double total, @Nullable String message) {}

    @Override
    default void log(LogLevel level, String logger, JsonNode data) {}

    @Override
    default boolean heard() {
        return false;
    }

    @Override
    default @Nullable LogLevel logLevel() {
        return null;
    }

    @Override
    default ClientSide client() {
        return ClientSide.SILENT;
    }

    @Override
    default Future<ClientAnswer> ask(ClientQuestion question) {
        return Future.succeededFuture(ClientAnswer.Refused.NOBODY);
    }

    @Override
    default @Nullable SessionValues session() {
        return null;
    }
}
