package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import switchboard.call.LogLevel;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.UnknownId;
import switchboard.session.Session;

/**
 * What a legacy message belongs to.
 *
 * @param version the revision spoken
 * @param session the session, or null for a client that sent no session id
 */
record SessionBinding(ProtocolVersion version, @Nullable Session<LegacySession> session) {
    /** The channel of a session. */
    static SessionBinding of(Session<LegacySession> session) {
        return new SessionBinding(session.state().version(), session);
    }

    /** Whether an array of messages may be sent. */
    boolean batches() {
        return !version.atLeast(ProtocolVersion.V2025_06_18);
    }

    /** What an error has for an id that is not known. */
    JsonNode unknownId() {
        return UnknownId.in(version);
    }

    /** The least level of log messages wanted, or null for none. */
    @Nullable
    LogLevel logLevel() {
        return session == null ? null : session.state().logLevel();
    }
}
