package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** The revisions of MCP that are served, oldest first. */
public enum ProtocolVersion {
    V2024_11_05("2024-11-05"),
    V2025_03_26("2025-03-26"),
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25"),
    V2026_07_28("2026-07-28");

    /** The version of a client that does not name one. */
    public static final ProtocolVersion ASSUMED = V2025_03_26;

    /** The newest revision with a handshake. */
    public static final ProtocolVersion LATEST_LEGACY = V2025_11_25;

    private final String text;

    ProtocolVersion(String text) {
        this.text = text;
    }

    /** The revision as it is written on the wire. */
    public String text() {
        return text;
    }

    /** Whether requests carry their own version and there is no handshake. */
    public boolean modern() {
        return this == V2026_07_28;
    }

    /** Whether this revision is {@code other} or came later. */
    public boolean atLeast(ProtocolVersion other) {
        return compareTo(other) >= 0;
    }

    /** The revision written {@code text}. */
    public static Optional<ProtocolVersion> of(String text) {
        for (ProtocolVersion version : values()) {
            if (version.text.equals(text)) {
                return Optional.of(version);
            }
        }
        return Optional.empty();
    }

    /** The revision for a client whose handshake has {@code params}: its own, or the newest that has a handshake. */
    public static ProtocolVersion negotiated(JsonNode params) {
        JsonNode wanted = params.path("protocolVersion");
        if (wanted.isMissingNode()) {
            return V2024_11_05;
        }
        return of(wanted.asText()).filter(version -> !version.modern()).orElse(LATEST_LEGACY);
    }

    /** Whether {@code text}, known or not, names a revision of the modern era: ISO dates compare as strings. */
    static boolean namesModern(String text) {
        return text.compareTo(V2026_07_28.text) >= 0;
    }
}
