package switchboard.cluster;

import java.util.Map;
import java.util.Set;

/**
 * What operators have decided for all nodes.
 *
 * @param revision grows with each decision
 * @param off why backends are switched off, by their ids
 * @param revoked the SHA-256 of the keys that are refused
 * @param approvals by backend and tool, the hash of the definition that is approved
 */
public record Decisions(
        long revision, Map<String, String> off, Set<String> revoked, Map<String, Map<String, String>> approvals) {
    /** Before anything was read. */
    static final Decisions UNREAD = new Decisions(-1, Map.of(), Set.of(), Map.of());

    public Decisions {
        off = Map.copyOf(off);
        revoked = Set.copyOf(revoked);
        approvals = Map.copyOf(approvals);
    }

    /** Does not contain the digests of keys. */
    @Override
    public String toString() {
        return "Decisions[revision=" + revision + "]";
    }
}
