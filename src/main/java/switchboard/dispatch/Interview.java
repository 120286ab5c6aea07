package switchboard.dispatch;

import io.vertx.core.Future;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.ClientSide;

/** How the backend of a call may involve the client. */
public interface Interview {
    /** Nobody can be asked. */
    Interview NONE = with(ClientSide.SILENT);

    /** The client. */
    ClientSide client();

    /** Asks it while its call runs; never fails. Called on the context that sent the call. */
    default Future<ClientAnswer> ask(ClientQuestion question) {
        return Future.succeededFuture(ClientAnswer.Refused.NOBODY);
    }

    /** A client that can't be asked while its call runs. */
    static Interview with(ClientSide client) {
        return () -> client;
    }

    /** The same client with its answers. */
    default Interview answering(ClientSide.Answers answers) {
        Interview asked = this;
        return new Interview() {
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
