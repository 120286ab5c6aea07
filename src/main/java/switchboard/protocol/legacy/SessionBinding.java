package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import switchboard.call.LogLevel;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.UnknownRequestId;
import switchboard.session.Session;

/**
 * The session and version of a legacy message.
 *
 * @param version the protocol version
 * @param session the session, or null for a client without a session id
 */
record SessionBinding(ProtocolVersion version, @Nullable Session<LegacySession> session) {
    /** The binding of a session. */
    static SessionBinding of(Session<LegacySession> session) {
        return new SessionBinding(session.state().version(), session);
    }

    /** Whether an array of messages may be sent. */
    boolean batches() {
        return !version.atLeast(ProtocolVersion.V2025_06_18);
    }

    /** The id in errors if the message's id is not known. */
    JsonNode unknownId() {
        return UnknownRequestId.in(version);
    }

    /** Lowest level of wanted log messages, or null for none. */
    @Nullable
    LogLevel logLevel() {
        return session == null ? null : session.state().logLevel();
    }
}
