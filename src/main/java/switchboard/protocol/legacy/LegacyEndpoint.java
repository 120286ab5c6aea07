package switchboard.protocol.legacy;

import com.github.benmanes.caffeine.cache.Ticker;
import java.util.List;
import switchboard.protocol.Inbound;
import switchboard.protocol.LegacyEra;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcMessage;
import switchboard.session.SessionLimits;
import switchboard.session.SessionStore;

/** The protocol up to 2025-11-25. Thread-safe. */
public final class LegacyEndpoint implements LegacyEra {
    private final SessionStore<Object> sessions;

    /** An endpoint with an empty session store; {@code ticker} measures idle time. */
    public LegacyEndpoint(ProtocolServices services, SessionLimits limits, Ticker ticker) {
        this.sessions = new SessionStore<>(
                limits, ticker, (_, age) -> services.observer().sessionEnded(age));
    }

    @Override
    public void single(Inbound inbound, RpcMessage message, ReplySink sink) {
        sink.close();
    }

    @Override
    public void batch(Inbound inbound, List<RpcMessage> elements, ReplySink sink) {
        sink.close();
    }

    @Override
    public void get(Inbound inbound, ReplySink sink) {
        sink.close();
    }

    @Override
    public void delete(Inbound inbound, ReplySink sink) {
        sink.close();
    }

    @Override
    public int sessions() {
        return sessions.live();
    }
}
