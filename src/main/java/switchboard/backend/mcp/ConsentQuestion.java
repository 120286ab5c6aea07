package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.CallingClient;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.ToolReply;
import switchboard.upstream.TokenErrors;

/**
 * Asks a client of 2026-07-28 to have the person open the page on which consent is given (elicitation in URL mode). The page is
 * one of the configuration or of the authorization server, never of the server that is called.
 */
final class ConsentQuestion {
    private static final String KEY = "consent";
    private static final String STATE = "switchboard:consent";

    private ConsentQuestion() {}

    /** The question for {@code failed}; empty if consent is not what is missing, or the client can't be asked this. */
    static Optional<RelayedReply.InputRequired> of(ToolReply.Failed failed, CallContext context) {
        ObjectNode details = failed.details();
        CallingClient client = context.client();
        if (!TokenErrors.CONSENT_REQUIRED.equals(failed.code())
                || details == null
                || client.asking() != CallingClient.AskMode.IN_REPLY
                || !client.capabilities().path("elicitation").has("url")
                || isAnswered(client.answers())) {
            return Optional.empty();
        }
        ObjectNode requests = Json.object();
        ObjectNode question = requests.putObject(KEY).put("method", "elicitation/create");
        question.putObject("params")
                .put("mode", "url")
                .put("message", failed.message())
                .put("url", details.path(TokenErrors.CONSENT_URL).asText());
        return Optional.of(new RelayedReply.InputRequired(requests, STATE));
    }

    /**
     * Whether {@code answers} are to this question, so that they are not for the server. Whoever accepts is about to open the
     * page, and has not agreed there yet, so it is not asked again: the next call tells.
     */
    static boolean isAnswered(CallingClient.@Nullable ClientResponses answers) {
        return answers != null && STATE.equals(answers.state());
    }
}
