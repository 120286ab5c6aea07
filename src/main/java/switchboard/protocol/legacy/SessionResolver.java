package switchboard.protocol.legacy;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.ProtocolVersion;
import switchboard.session.Session;
import switchboard.session.SessionOwner;
import switchboard.session.SessionStore;

/** Finds a message's session, and the protocol version in its header. */
final class SessionResolver {
    static final String SESSION_HEADER = "Mcp-Session-Id";
    private static final String VERSION_HEADER = "MCP-Protocol-Version";

    private final SessionStore<LegacySession> sessions;

    SessionResolver(SessionStore<LegacySession> sessions) {
        this.sessions = sessions;
    }

    static SessionOwner owner(InboundMessage inboundMessage) {
        return new SessionOwner(inboundMessage.principal().identity(), inboundMessage.view());
    }

    /** The session of the message's id, or null without an id. */
    @Nullable
    Session<LegacySession> session(InboundMessage inboundMessage) throws LegacyHttpException {
        String id = inboundMessage.header(SESSION_HEADER);
        return id == null
                ? null
                : sessions.find(id, owner(inboundMessage)).orElseThrow(LegacyHttpException::unknownSession);
    }

    /** The revision that the session agreed on which the message belongs to. */
    Optional<ProtocolVersion> agreed(InboundMessage inboundMessage) {
        return Optional.ofNullable(inboundMessage.header(SESSION_HEADER)).flatMap(id -> agreed(inboundMessage, id));
    }

    /** The same for the session {@code id}. */
    Optional<ProtocolVersion> agreed(InboundMessage inboundMessage, String id) {
        return sessions.find(id, owner(inboundMessage))
                .map(session -> session.state().version());
    }

    /** The session of the message's id, which is required. */
    Session<LegacySession> requiredSession(InboundMessage inboundMessage) throws LegacyHttpException {
        Session<LegacySession> session = session(inboundMessage);
        if (session == null) {
            throw LegacyHttpException.missingSession();
        }
        return session;
    }

    /** The binding of a message other than {@code initialize}. A session's revision is the one it negotiated. */
    SessionBinding find(InboundMessage inboundMessage) throws LegacyHttpException {
        Session<LegacySession> session = session(inboundMessage);
        ProtocolVersion named = named(inboundMessage);
        return session == null ? new SessionBinding(named, null) : SessionBinding.of(session);
    }

    /** The revision that the header names, or the assumed one. */
    static ProtocolVersion named(InboundMessage inboundMessage) throws LegacyHttpException {
        String header = inboundMessage.header(VERSION_HEADER);
        if (header == null) {
            return ProtocolVersion.ASSUMED;
        }
        Optional<ProtocolVersion> known = ProtocolVersion.of(header).filter(version -> !version.modern());
        return known.orElseThrow(() -> new LegacyHttpException(
                400, "Unsupported " + VERSION_HEADER + ". Send the version that \"initialize\" answered."));
    }
}
