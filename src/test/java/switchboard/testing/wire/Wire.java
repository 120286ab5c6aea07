package switchboard.testing.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Something that takes requests as HTTP has them. */
@FunctionalInterface
public interface Wire {
    /**
     * Sends a request and waits for the answer: a document, or a stream until it ends or has brought {@code messages}
     * messages or the answer itself, whichever comes first.
     */
    Reply send(Request request, int messages);

    /**
     * A request.
     *
     * @param method the HTTP method
     * @param path the path
     * @param headers all headers
     * @param body the body, or null for none
     */
    record Request(
            String method,
            String path,
            Map<String, String> headers,
            @Nullable String body) {}

    /**
     * An answer.
     *
     * @param status the HTTP status
     * @param headers the headers, names in lower case
     * @param messages the document, or the messages of the stream; empty where there is no body
     */
    record Reply(int status, Map<String, String> headers, List<JsonNode> messages) {
        public Reply {
            messages = List.copyOf(messages);
        }
    }
}
