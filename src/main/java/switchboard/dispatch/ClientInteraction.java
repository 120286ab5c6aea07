package switchboard.dispatch;

import io.vertx.core.Future;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.ClientSide;

/** How the backend of a call may involve the client. */
public interface ClientInteraction {
    /** A client that can't be asked. */
    ClientInteraction NONE = with(ClientSide.SILENT);

    /** The client. */
    ClientSide client();

    /** Asks the client while its call runs; never fails. Called on the context that sent the call. */
    default Future<ClientAnswer> ask(ClientQuestion question) {
        return Future.succeededFuture(ClientAnswer.Declined.NOBODY);
    }

    /** A client that can't be asked while its call runs. */
    static ClientInteraction with(ClientSide client) {
        return () -> client;
    }

    /** The same client with its answers. */
    default ClientInteraction answering(ClientSide.ClientResponses answers) {
        ClientInteraction asked = this;
        return new ClientInteraction() {
            @Override
            public ClientSide client() {
                return asked.client().answering(answers);
            }

            @Override
            public Future<ClientAnswer> ask(ClientQuestion question) {
                return asked.ask(question);
            }
        };
    }
}
