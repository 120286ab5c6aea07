package switchboard.upstream;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.proxy.ProxyConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** Why one attempt brought no complete answer. Callers of tools are told by a {@code ToolException} instead. */
final class UpstreamFault extends Exception {
    private static final long serialVersionUID = 1L;

    /** The ways to fail. */
    enum Cause {
        REFUSED(
                true,
                FailureKind.UNAVAILABLE,
                "refuses connections; it may be down or restarting, so try again in a moment"),
        UNKNOWN_HOST(
                true,
                FailureKind.UNAVAILABLE,
                "has a host name that can't be resolved; the operator has to check" + " the configured URL"),
        CONNECT_TIMEOUT(
                true,
                FailureKind.UNAVAILABLE,
                "gave no connection in time: it can't be reached, or all connections are in use; try again in a moment"),
        TLS(
                true,
                FailureKind.UNAVAILABLE,
                "offers a TLS certificate or version that the gateway does not trust; the"
                        + " operator has to check the tls settings"),
        PROXY(
                true,
                FailureKind.UNAVAILABLE,
                "can't be reached through the configured proxy; the operator has to check it"),
        LOST(
                true,
                FailureKind.UNAVAILABLE,
                "closed the connection before its answer was complete; wait, then try again"),
        MALFORMED(
                true,
                FailureKind.UNAVAILABLE,
                "answered something that is not HTTP; the operator has to check the" + " configured URL"),
        TIMEOUT(true, FailureKind.TIMEOUT, "did not answer in time; ask for less, or try again later"),
        TOO_LARGE(
                false,
                FailureKind.INVALID_ARGUMENT,
                "answered more than the gateway accepts; ask for less: a smaller" + " limit, or fewer fields"),
        CLOSED(
                false,
                FailureKind.UNAVAILABLE,
                "was not called, because the gateway is stopping; try again in a moment"),
        CANCELLED(false, FailureKind.CANCELLED, "was not waited for: the call was cancelled");

        private final boolean enginesFault;
        private final FailureKind kind;
        private final String words;

        Cause(boolean enginesFault, FailureKind kind, String words) {
            this.enginesFault = enginesFault;
            this.kind = kind;
            this.words = words;
        }
    }

    private final Cause cause;
    private final boolean sent;

    /**
     * A fault.
     *
     * @param sent whether the engine may have received the request
     */
    UpstreamFault(Cause cause, boolean sent) {
        super(cause.name(), null, false, false);
        this.cause = cause;
        this.sent = sent;
    }

    /** The fault for an exception of the HTTP client. */
    static UpstreamFault of(Throwable thrown, boolean sent) {
        return thrown instanceof UpstreamFault fault ? fault : new UpstreamFault(classify(thrown, sent), sent);
    }

    private static Cause classify(Throwable thrown, boolean sent) {
        return switch (thrown) {
            case ConnectTimeoutException _ -> Cause.CONNECT_TIMEOUT;
            case ProxyConnectException _ -> Cause.PROXY;
            case java.net.ConnectException _ -> Cause.REFUSED;
            case UnknownHostException _ -> Cause.UNKNOWN_HOST;
            case SSLException _ -> Cause.TLS;
            case TimeoutException _ -> sent ? Cause.TIMEOUT : Cause.CONNECT_TIMEOUT;
            case DecoderException decoder -> decoder.getCause() instanceof SSLException ? Cause.TLS : Cause.MALFORMED;
            case IllegalArgumentException _ -> Cause.MALFORMED;
            case IllegalStateException _ -> sent ? Cause.LOST : Cause.CLOSED; // what a closed client throws
            default -> sent ? Cause.LOST : Cause.REFUSED;
        };
    }

    /** Whether it is the engine's fault, so that the circuit breaker counts it. */
    boolean enginesFault() {
        return cause.enginesFault;
    }

    /** Whether the engine may have received the request. */
    boolean sent() {
        return sent;
    }

    /** Whether trying again could help. */
    boolean passing() {
        return switch (cause) {
            case REFUSED, CONNECT_TIMEOUT, PROXY, LOST -> true;
            case UNKNOWN_HOST, TLS, MALFORMED, TIMEOUT, TOO_LARGE, CLOSED, CANCELLED -> false;
        };
    }

    /** The value of the metrics' label. */
    String label() {
        return cause.name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The failure for the caller. */
    ToolReply.Failed toFailed(String backend, boolean repeatable) {
        if (!sent || repeatable) {
            ToolReply.Failed failed = new ToolReply.Failed(cause.kind, backend + " " + cause.words);
            return cause == Cause.TOO_LARGE ? failed.withCode(UpstreamClient.TOO_LARGE) : failed;
        }
        String message = backend + " " + cause.words.split(";", 2)[0];
        return new ToolReply.Failed(
                        cause.kind, message + ". It is unknown whether the change was made: check before you repeat it")
                .withDetails(Json.object().put("outcome", "unknown"));
    }
}
