package switchboard.protocol;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;

/**
 * An incoming message with data of its transport.
 *
 * @param view the view's name, {@code ""} for the default one; it exists
 * @param transport {@code http} or {@code stdio}; a metric label
 * @param principal its sender
 * @param address the sender's network address, {@value #LOCAL} if there is none
 * @param headers the value of a header by name (ignoring case), or null; always null on stdio
 * @param body the bytes; empty for GET and DELETE
 */
public record InboundMessage(
        String view,
        String transport,
        Principal principal,
        String address,
        Function<String, @Nullable String> headers,
        byte[] body) {
    /** The transport of messages that come in one pipe. */
    public static final String STDIO = "stdio";

    /** The address of a caller on this machine that came without a network. */
    public static final String LOCAL = "local";

    /** A message that came without a network. */
    public InboundMessage(
            String view,
            String transport,
            Principal principal,
            Function<String, @Nullable String> headers,
            byte[] body) {
        this(view, transport, principal, LOCAL, headers, body);
    }

    /** Whether it came from the only client of a pipe. */
    public boolean piped() {
        return transport.equals(STDIO);
    }

    /** The value of a header without surrounding white space, or null. */
    public @Nullable String header(String name) {
        String value = headers.apply(name);
        return value == null ? null : value.strip();
    }

    /** The same without headers, if those of the transport don't apply to the message. */
    public InboundMessage withoutHeaders() {
        return new InboundMessage(view, transport, principal, address, _ -> null, body);
    }
}
