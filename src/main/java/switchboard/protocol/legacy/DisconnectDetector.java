package switchboard.protocol.legacy;

import org.jspecify.annotations.Nullable;
import switchboard.protocol.Cancellation;
import switchboard.protocol.ReplySink;
import switchboard.session.Session;

/**
 * Notices when the answer to a request can't be delivered any more: its caller has disconnected and can't resume, and
 * its session has no other stream or has ended. A client that lost only one of several connections keeps its calls.
 * Used on the event loop of the request.
 */
final class DisconnectDetector {
    private final ReplySink sink;
    private final @Nullable Session<LegacySession> session;
    private final Cancellation cancellation;
    private final Runnable again;
    private boolean gone;

    /** A watcher that begins with {@link #watch}. */
    DisconnectDetector(ReplySink sink, @Nullable Session<LegacySession> session, Cancellation cancellation) {
        this.sink = sink;
        this.session = session;
        this.cancellation = cancellation;
        this.again = () -> sink.execute(this::look);
    }

    /** Watches the caller from now on, until {@link #close}. */
    void watch() {
        if (session != null) {
            session.state().onLoss(again);
        }
        sink.onGone(() -> {
            gone = true;
            look();
        });
    }

    /** The request is over. */
    void close() {
        if (session != null) {
            session.state().forgetLoss(again);
        }
    }

    private void look() {
        if (gone && (session == null || !session.state().canReceive())) {
            cancellation.unread();
        }
    }
}
