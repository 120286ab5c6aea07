package switchboard.backend.mcp.peer;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Detects the protocol era of a server. */
public enum Connector {
    /** Tries the modern protocol first, then the handshake. */
    AUTO {
        @Override
        public Future<Peer> connect(Transport transport, ClientProfile client, Duration timeout) {
            return MODERN.connect(transport, client, timeout)
                    .recover(failure -> speaksSomethingElse(failure)
                            ? LEGACY.connect(transport, client, timeout)
                            : Future.failedFuture(failure));
        }
    },
    /** Only 2026-07-28. */
    MODERN {
        @Override
        public Future<Peer> connect(Transport transport, ClientProfile client, Duration timeout) {
            CallContext context = InternalCallContext.within(Collections.min(List.of(timeout, PROBE)));
            return ModernPeer.discover(transport, client.info(), context);
        }
    },
    /** Only versions with a handshake. */
    LEGACY {
        @Override
        public Future<Peer> connect(Transport transport, ClientProfile client, Duration timeout) {
            return LegacyPeer.initialize(transport, client, InternalCallContext.within(timeout));
        }
    };

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);
    /** Time limit of the modern attempt, because a legacy server on a pipe may not answer unknown methods. */
    private static final Duration PROBE = Duration.ofSeconds(30);
    /** Failures that say nothing about the era. */
    private static final Set<FailureKind> NO_EVIDENCE =
            Set.of(FailureKind.UNAVAILABLE, FailureKind.DENIED_UPSTREAM, FailureKind.OVERLOADED);

    /** The server behind {@code transport}; fails with {@link RpcFailure}, {@link Peer.NoSession} or {@code ToolException}. */
    public abstract Future<Peer> connect(Transport transport, ClientProfile client, Duration timeout);

    private static boolean speaksSomethingElse(Throwable failure) {
        LOG.debug("no answer to server/discover: {}", failure.getMessage());
        return switch (failure) {
            case ModernPeer.NotModern _, RpcFailure _ -> true;
            case ToolException e -> !NO_EVIDENCE.contains(e.failed().kind());
            default -> false;
        };
    }
}
