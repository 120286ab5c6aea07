package switchboard.protocol.legacy;

import io.vertx.core.Future;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import switchboard.call.CallingClient;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.dispatch.ClientInteraction;

/** Asks the client of a session while one of its requests is answered. */
final class LegacyClientInteraction implements ClientInteraction {
    private final LegacySession session;
    private final Consumer<byte[]> send;
    private final Set<String> put = ConcurrentHashMap.newKeySet();

    /** An interaction whose questions {@code send} delivers to the client, on any thread. */
    LegacyClientInteraction(LegacySession session, Consumer<byte[]> send) {
        this.session = session;
        this.send = send;
    }

    @Override
    public CallingClient client() {
        return new CallingClient(session.capabilities(), CallingClient.AskMode.DURING_CALL, null);
    }

    @Override
    public Future<ClientAnswer> ask(ClientQuestion question) {
        PendingClientRequests.Sent asked = session.questions().put(question, send);
        put.add(asked.id());
        return asked.answer().onComplete(_ -> put.remove(asked.id()));
    }

    /** The request has been answered: open questions are no longer waited for. */
    void end() {
        put.forEach(session.questions()::close);
    }
}
