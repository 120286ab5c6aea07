package switchboard.cluster;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What operators have decided for all nodes.
 *
 * @param revision grows with each decision
 * @param off why backends are switched off, by their ids
 * @param revoked the SHA-256 of the keys that are refused
 * @param approvals the approved definitions, by backend and tool
 */
public record Decisions(
        long revision,
        Map<String, String> off,
        Set<String> revoked,
        Map<String, Map<String, ApprovedDefinition>> approvals) {
    /**
     * The approved definition of a tool.
     *
     * @param hash its hash
     * @param byOperator whether an operator has approved it, rather than its first use on some node
     */
    public record ApprovedDefinition(String hash, boolean byOperator) {}

    /** Before anything was read. */
    static final Decisions UNREAD = new Decisions(-1, Map.of(), Set.of(), Map.of());

    public Decisions {
        off = Map.copyOf(off);
        revoked = Set.copyOf(revoked);
        approvals = Map.copyOf(approvals);
    }

    /** The same with these keys refused, too: a key is revoked for good, even if a fail-over has lost that. */
    Decisions andRevoked(Set<String> known) {
        Set<String> all = new HashSet<>(revoked);
        all.addAll(known);
        return new Decisions(revision, off, all, approvals);
    }

    /** Does not contain the digests of keys. */
    @Override
    public String toString() {
        return "Decisions[revision=" + revision + "]";
    }
}
