package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The MCP client of a call, as a backend sees it.
 *
 * @param capabilities its declared capabilities, an MCP {@code ClientCapabilities} object; must not be changed
 * @param asking how it can be asked
 * @param answers its answers to a {@link RelayedReply.InputRequired}, or null at the first attempt
 * @param refs how much refs of passages say to it
 */
public record CallingClient(
        ObjectNode capabilities, AskMode asking, @Nullable ClientResponses answers, RefDetail refs) {
    /** A client that can't be asked. */
    public static final CallingClient SILENT = new CallingClient(Json.object(), AskMode.NEVER, null);

    /** The capabilities of clients that can be asked. */
    private static final List<String> QUESTIONS = List.of("elicitation", "roots", "sampling");

    /** How a client can be asked. */
    public enum AskMode {
        /** The client can't be asked. */
        NEVER,
        /** With a reply that lists the questions; the client calls again with the answers. */
        IN_REPLY,
        /** With a request while its call runs. */
        DURING_CALL
    }

    /**
     * The client's answers.
     *
     * @param responses the answers, under the keys of the requests; must not be changed
     * @param state the state that the backend wants returned, or null
     */
    public record ClientResponses(
            ObjectNode responses, @Nullable String state) {}

    public CallingClient {
        refs = Objects.requireNonNullElse(refs, RefDetail.CITE); // of a process of an earlier version
    }

    /** A client that gets citations of passages. */
    public CallingClient(ObjectNode capabilities, AskMode asking, @Nullable ClientResponses answers) {
        this(capabilities, asking, answers, RefDetail.CITE);
    }

    /** Whether it can be sent a question while its call runs: there is a way, and it has said what it can be asked. */
    public boolean askable() {
        return asking == AskMode.DURING_CALL && QUESTIONS.stream().anyMatch(capabilities::has);
    }

    /** The same client with its answers. */
    public CallingClient answering(ClientResponses given) {
        return new CallingClient(capabilities, asking, given, refs);
    }

    /** The same client, to which refs of passages say that much. */
    public CallingClient told(RefDetail detail) {
        return new CallingClient(capabilities, asking, answers, detail);
    }
}
