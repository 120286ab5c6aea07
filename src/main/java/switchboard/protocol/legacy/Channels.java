package switchboard.protocol.legacy;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.protocol.Inbound;
import switchboard.protocol.ProtocolVersion;
import switchboard.session.Owner;
import switchboard.session.Session;
import switchboard.session.SessionStore;

/** Finds out what a message belongs to: its session, and the revision its header names. */
final class Channels {
    static final String SESSION_HEADER = "Mcp-Session-Id";
    private static final String VERSION_HEADER = "MCP-Protocol-Version";

    private final SessionStore<LegacySession> sessions;

    Channels(SessionStore<LegacySession> sessions) {
        this.sessions = sessions;
    }

    static Owner owner(Inbound inbound) {
        return new Owner(inbound.principal().identity(), inbound.view());
    }

    /** The session whose id is given, or null where none is. */
    @Nullable
    Session<LegacySession> session(Inbound inbound) throws Refusal {
        String id = inbound.header(SESSION_HEADER);
        return id == null ? null : sessions.find(id, owner(inbound)).orElseThrow(Refusal::unknownSession);
    }

    /** The revision that the session agreed on which the message belongs to. */
    Optional<ProtocolVersion> agreed(Inbound inbound) {
        return Optional.ofNullable(inbound.header(SESSION_HEADER)).flatMap(id -> agreed(inbound, id));
    }

    /** The same for the session {@code id}. */
    Optional<ProtocolVersion> agreed(Inbound inbound, String id) {
        return sessions.find(id, owner(inbound)).map(session -> session.state().version());
    }

    /** The session whose id must be given. */
    Session<LegacySession> requiredSession(Inbound inbound) throws Refusal {
        Session<LegacySession> session = session(inbound);
        if (session == null) {
            throw Refusal.missingSession();
        }
        return session;
    }

    /** The channel of a message other than {@code initialize}. A session's revision is the one it negotiated. */
    Channel find(Inbound inbound) throws Refusal {
        Session<LegacySession> session = session(inbound);
        ProtocolVersion named = named(inbound);
        return session == null ? new Channel(named, null) : Channel.of(session);
    }

    /** The revision that the header names, or the assumed one. */
    static ProtocolVersion named(Inbound inbound) throws Refusal {
        String header = inbound.header(VERSION_HEADER);
        if (header == null) {
            return ProtocolVersion.ASSUMED;
        }
        Optional<ProtocolVersion> known = ProtocolVersion.of(header).filter(version -> !version.modern());
        return known.orElseThrow(() ->
                new Refusal(400, "Unsupported " + VERSION_HEADER + ". Send the version that \"initialize\" answered."));
    }
}
