package switchboard.protocol.legacy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Json;
import switchboard.cluster.ClusterListener;
import switchboard.cluster.NodeMessage;
import switchboard.protocol.IncomingMessages;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcMessage;
import switchboard.session.SessionStore;

/** What other nodes say about sessions. */
record OtherNodes(SessionStore<LegacySession> sessions, SessionCopies copies, SharedAnswers answers)
        implements ClusterListener {
    private static final Logger LOG = LoggerFactory.getLogger(OtherNodes.class);

    @Override
    public Future<Void> ended(String key) {
        copies.ended(key);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> changed(String key) {
        return copies.changed(key);
    }

    @Override
    public Future<Void> poll() {
        answers.sweep();
        return copies.compare();
    }

    @Override
    public Future<Void> leaving() {
        return answers.leaving();
    }

    @Override
    public void received(NodeMessage message) {
        if (answers.received(message)) {
            return;
        }
        sessions.kept(message.session()).ifPresent(session -> {
            try {
                receive(message, session.state());
            } catch (JsonProcessingException | RuntimeException e) {
                LOG.warn(
                        "a message of another node can't be used: {}",
                        e.getClass().getSimpleName());
            }
        });
    }

    private static void receive(NodeMessage message, LegacySession session) throws JsonProcessingException {
        JsonNode body = Json.parse(message.body());
        switch (message.kind()) {
            case RESPONSE -> {
                if (RpcCodec.decode(body).first() instanceof RpcMessage.Response response) {
                    session.questions().answered(response);
                }
            }
            case CANCEL -> {
                var _ = session.cancel(body);
            }
            case POST -> {
                StreamSession connection = session.streamSession();
                if (connection != null) {
                    IncomingMessages incoming = RpcCodec.decode(body);
                    connection.postElsewhere(message.body().getBytes(StandardCharsets.UTF_8), incoming);
                }
            }
            case DELIVER ->
                session.stream()
                        .ifPresent(stream -> stream.deliver(message.body().getBytes(StandardCharsets.UTF_8)));
            case RESUME, RESUMED, WATCH, CALLS -> {}
        }
    }
}
