package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcMessage;

/** The requests to a session's client that wait for an answer, a bounded number. Thread-safe. */
final class PendingClientRequests {
    private static final int MOST = 100;
    private static final String PREFIX = "switchboard-";
    private static final Pattern OF_NODE = Pattern.compile(PREFIX + "([0-9a-f]{1,32})-[0-9a-f]{1,16}-\\d{1,18}");

    /** Random, so that no answer to a question of an earlier process is taken for one to a question of this one. */
    private final String random = Long.toHexString(new SecureRandom().nextLong());

    /** The id of this node, which is in the ids of its requests, so that another node knows where an answer belongs. */
    private volatile String node = "";

    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Promise<ClientAnswer>> open = new ConcurrentHashMap<>();

    /** One question that was put. */
    record Sent(String id, Future<ClientAnswer> answer) {}

    /** Sends {@code question} with {@code send}; the answer never fails, and comes at the latest with {@link #close}. */
    Sent put(ClientQuestion question, Consumer<byte[]> send) {
        String id = PREFIX + (node.isEmpty() ? "" : node + "-") + random + "-" + ids.incrementAndGet();
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

    /** From now on ids name this node. */
    void on(String ownNode) {
        node = ownNode;
    }

    /** The other node whose request has this id; empty if no node's has, or this one's. */
    Optional<String> elsewhere(JsonNode id) {
        Matcher matcher = OF_NODE.matcher(id.asText());
        return matcher.matches() && !matcher.group(1).equals(node) ? Optional.of(matcher.group(1)) : Optional.empty();
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
