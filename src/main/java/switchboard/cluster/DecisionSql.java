package switchboard.cluster;

/** The statements about what operators decide. Parameters are {@code $1} for the gateway, and {@code ?} for commands. */
record DecisionSql(String schema) {
    /** So many definitions of a server's tools are kept. */
    private static final int MOST_TOOLS = 10_000;

    String revision() {
        return "SELECT revision FROM " + schema + ".decided";
    }

    String off() {
        return "SELECT backend, reason FROM " + schema + ".switched_off";
    }

    String revoked() {
        return "SELECT sha256 FROM " + schema + ".revoked_key";
    }

    String approvals() {
        return "SELECT backend, tool, hash, by_operator FROM " + schema + ".approved_tool";
    }

    /** The first statement of each decision: one is made after the other, and knows the one before. */
    String lock() {
        return "SELECT revision FROM " + schema + ".decided FOR UPDATE";
    }

    /**
     * The last statement of each decision. The time is in the revision, so that one after a fail-over that lost some differs from all that
     * nodes have seen.
     */
    String decided() {
        return "UPDATE " + schema
                + ".decided SET revision = greatest(revision + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)";
    }

    String switchOff() {
        return "INSERT INTO " + schema + ".switched_off (backend, reason) VALUES ($1, $2)"
                + " ON CONFLICT (backend) DO UPDATE SET reason = excluded.reason, since = now()";
    }

    String switchOn() {
        return "DELETE FROM " + schema + ".switched_off WHERE backend = $1";
    }

    /** Notes definitions where nothing is noted yet. */
    String pin() {
        return "INSERT INTO " + schema + ".approved_tool (backend, tool, hash, by_operator)"
                + " SELECT $1::text, t.tool, t.hash, false FROM unnest($2::text[], $3::text[]) AS t(tool, hash)"
                + " WHERE (SELECT count(*) FROM " + schema + ".approved_tool WHERE backend = $1::text) < " + MOST_TOOLS
                + " ON CONFLICT DO NOTHING RETURNING tool";
    }

    String revoke() {
        return "INSERT INTO " + schema + ".revoked_key (sha256, id, team) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
    }

    String approve() {
        return "INSERT INTO " + schema + ".approved_tool (backend, tool, hash, by_operator) VALUES (?, ?, ?, true)"
                + " ON CONFLICT (backend, tool) DO UPDATE SET hash = excluded.hash, by_operator = true, since = now()";
    }
}
