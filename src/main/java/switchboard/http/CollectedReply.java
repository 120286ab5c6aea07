package switchboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import switchboard.call.Json;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.ReplySink;

/**
 * The answer to a message that the console itself sends for a person; what comes before it is not kept. Used on one event
 * loop only.
 */
final class CollectedReply implements ReplySink {
    private final Vertx vertx;
    private final Context context;
    private final Promise<JsonNode> answer = Promise.promise();
    private final List<Runnable> onGone = new ArrayList<>(1);
    private boolean gone;

    CollectedReply(Vertx vertx) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
    }

    /** The last message; fails if there is none. */
    Future<JsonNode> answer() {
        return answer.future();
    }

    /** Nobody waits for the answer any more: what was asked is cancelled. */
    void leave() {
        if (!closed()) {
            gone = true;
            answer.tryFail("nobody waits for it");
            List.copyOf(onGone).forEach(Runnable::run);
        }
    }

    @Override
    public void end(int status, Map<String, String> headers, EncodedJson json) {
        try {
            answer.tryComplete(Json.parse(json.bytes()));
        } catch (IOException e) {
            answer.tryFail(e);
        }
    }

    @Override
    public void open(Map<String, String> headers) {
        // The answer comes in the end.
    }

    @Override
    public void event(byte[] json, Urgency urgency) {
        // Progress of one search is nobody's business here.
    }

    @Override
    public void close() {
        answer.tryFail("there is no answer");
    }

    @Override
    public boolean closed() {
        return gone || answer.future().isComplete();
    }

    @Override
    public void onGone(Runnable action) {
        if (gone) {
            action.run();
        } else {
            onGone.add(action);
        }
    }

    @Override
    public void execute(Runnable action) {
        context.runOnContext(_ -> action.run());
    }

    @Override
    public Runnable after(Duration delay, Runnable action) {
        long timer = vertx.setTimer(delay.toMillis(), _ -> action.run());
        return () -> vertx.cancelTimer(timer);
    }
}
