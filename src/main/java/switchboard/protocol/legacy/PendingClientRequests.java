package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcMessage;

/** The requests to a session's client that wait for an answer, a bounded number. Thread-safe. */
final class PendingClientRequests {
    private static final int MOST = 100;

    /** Random, so that no answer to a question of an earlier process is taken for one to a question of this one. */
    private final String prefix = "switchboard-" + Long.toHexString(new SecureRandom().nextLong()) + "-";

    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Promise<ClientAnswer>> open = new ConcurrentHashMap<>();

    /** One question that was put. */
    record Sent(String id, Future<ClientAnswer> answer) {}

    /** Sends {@code question} with {@code send}; the answer never fails, and comes at the latest with {@link #close}. */
    Sent put(ClientQuestion question, Consumer<byte[]> send) {
        String id = prefix + ids.incrementAndGet();
        if (open.size() >= MOST) {
            return new Sent(
                    id,
                    Future.succeededFuture(
                            new ClientAnswer.Declined(-32603, "Too many requests to the client have no answer yet.")));
        }
        Promise<ClientAnswer> promise = Promise.promise();
        open.put(id, promise);
        send.accept(RpcCodec.request(id, question.method(), question.params()));
        return new Sent(id, promise.future());
    }

    /** The client answered, perhaps something that was not asked. */
    void answered(RpcMessage.Response response) {
        complete(response.id().asText(), answer(response.body()));
    }

    /** Closes the question {@code id}, because its answer is no longer needed. */
    void close(String id) {
        complete(id, ClientAnswer.Declined.LATE);
    }

    /** Closes all questions that are still open. */
    void closeAll() {
        open.keySet().forEach(this::close);
    }

    private void complete(String id, ClientAnswer answer) {
        Promise<ClientAnswer> waiting = open.remove(id);
        if (waiting != null) {
            waiting.tryComplete(answer);
        }
    }

    private static ClientAnswer answer(JsonNode body) {
        if (body.path("result") instanceof ObjectNode result) {
            return new ClientAnswer.Answered(result);
        }
        JsonNode error = body.path("error");
        return new ClientAnswer.Declined(
                error.path("code").asInt(-32603), error.path("message").asText("It answered with an error."));
    }
}
