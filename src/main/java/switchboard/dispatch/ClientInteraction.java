package switchboard.dispatch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.call.CallingClient;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.RefDetail;

/** How the backend of a call may involve the client. */
public interface ClientInteraction {
    /** A client that can't be asked. */
    ClientInteraction NONE = with(CallingClient.SILENT);

    /** The client. */
    CallingClient client();

    /** Asks the client while its call runs; never fails. Called on the context that sent the call. */
    default Future<ClientAnswer> ask(ClientQuestion question) {
        return Future.succeededFuture(ClientAnswer.Declined.NOBODY);
    }

    /** A client that can't be asked while its call runs. */
    static ClientInteraction with(CallingClient client) {
        return () -> client;
    }

    /** The same client with other capabilities. */
    default ClientInteraction declaring(ObjectNode capabilities) {
        CallingClient asked = client();
        return as(new CallingClient(capabilities, asked.asking(), asked.answers(), asked.refs()));
    }

    /** The same client with its answers. */
    default ClientInteraction answering(CallingClient.ClientResponses answers) {
        return as(client().answering(answers));
    }

    /** The same client, to which refs of passages say that much. */
    default ClientInteraction told(RefDetail detail) {
        return client().refs() == detail ? this : as(client().told(detail));
    }

    private ClientInteraction as(CallingClient known) {
        ClientInteraction asked = this;
        return new ClientInteraction() {
            @Override
            public CallingClient client() {
                return known;
            }

            @Override
            public Future<ClientAnswer> ask(ClientQuestion question) {
                return asked.ask(question);
            }
        };
    }
}
