package switchboard.cluster;

/**
 * The statements of {@link SessionTable}. A session is open if it was used within the idle time, or has a call or a stream on
 * some node. Which one is replaced: as in a gateway by itself, those of teams with more sessions than the newcomer's, then its
 * own; those with a stream last; the least recently used first. One with a call under way never is.
 */
final class SessionSql {
    /** So many more candidates are read than have to go, because some may have calls that the database does not know of. */
    static final int BUSY_ELSEWHERE = 100;

    /** How long the note of a stream is good for: longer than the pause between two notes. */
    private static final String STREAM_NOTED = "now() + interval '45 seconds'";

    /** How long the note of a call is good for: longer than the 12 seconds that may pass between two notes. */
    private static final String CALL_NOTED = "now() + interval '15 seconds'";

    private final String session;
    private final String node;
    private final String lock;

    /** The node with the stream of the session {@code s}, if it runs. */
    private final String streamNode;

    SessionSql(String schema) {
        this.session = schema + ".session";
        this.node = schema + ".node";
        this.streamNode = "(SELECT n.id FROM " + node + " n WHERE n.id = s.stream_node AND n." + NodeTable.ALIVE + ")";
        this.lock = "SELECT pg_advisory_xact_lock(hashtextextended('" + session + "', 0))";
    }

    private static String open(String idle) {
        return "(last_used > now() - " + idle
                + " * interval '1 millisecond' OR calls_until > now() OR streams_until > now())";
    }

    /** One node after another makes room. */
    String lock() {
        return lock;
    }

    String count() {
        return "SELECT count(*) FROM " + session + " WHERE " + open("$1::bigint");
    }

    String replaceable() {
        return "WITH open AS (SELECT key, team, calls_until, streams_until, last_used FROM " + session + " WHERE "
                + open("$1::bigint") + "),"
                + " teams AS (SELECT team, count(*) AS sessions FROM open GROUP BY team)"
                + " SELECT key FROM open JOIN teams USING (team) WHERE calls_until <= now() AND (team = $2::text"
                + " OR sessions > coalesce((SELECT sessions FROM teams WHERE team = $2::text), 0))"
                + " ORDER BY sessions DESC, streams_until > now(), last_used, key LIMIT $3::bigint";
    }

    String insert() {
        return "INSERT INTO " + session + " (key, team, identity, proof, view, state, node, rights)"
                + " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    }

    String find() {
        return "SELECT team, identity, proof, view, state, revision, " + streamNode + " AS stream_node, node, rights,"
                + " (extract(epoch FROM now() - created) * 1000)::bigint AS age,"
                + " (extract(epoch FROM now() - last_used) * 1000)::bigint AS idle,"
                + " EXISTS (SELECT 1 FROM " + node + " n WHERE n.id = s.node AND n." + NodeTable.ALIVE + ") AS alive"
                + " FROM " + session + " s WHERE key = $1 AND " + open("$2::bigint");
    }

    String end() {
        return "DELETE FROM " + session + " WHERE key = $1";
    }

    String endAll() {
        return "DELETE FROM " + session + " WHERE key = ANY($1::text[])";
    }

    String stateForChange() {
        return "SELECT state FROM " + session + " WHERE key = $1 FOR UPDATE";
    }

    String change() {
        return "UPDATE " + session + " SET state = $2, revision = revision + 1 WHERE key = $1 RETURNING revision";
    }

    String streamOpened() {
        return "UPDATE " + session + " SET stream_node = $2, streams_until = " + STREAM_NOTED
                + ", revision = revision + 1 WHERE key = $1 RETURNING revision";
    }

    String streamClosed() {
        return "UPDATE " + session + " SET stream_node = NULL, streams_until = '-infinity', last_used = now(),"
                + " revision = revision + 1 WHERE key = $1 AND stream_node = $2 RETURNING revision";
    }

    String lockRows() {
        return "SELECT 1 FROM " + session + " WHERE key = ANY($1::text[]) ORDER BY key FOR NO KEY UPDATE";
    }

    String used() {
        return "UPDATE " + session + " s SET last_used = greatest(last_used, now() - u.ago * interval '1 millisecond'),"
                + " calls_until = CASE WHEN u.calls THEN " + CALL_NOTED + " ELSE calls_until END,"
                + " streams_until = CASE WHEN u.stream THEN " + STREAM_NOTED + " ELSE streams_until END"
                + " FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[]) AS u(key, ago, calls, stream)"
                + " WHERE s.key = u.key";
    }

    String states() {
        return "SELECT key, revision, " + open("$2::bigint") + ", " + streamNode + " FROM " + session
                + " s WHERE key = ANY($1::text[])";
    }

    /** Some minutes late, so that after an outage every node can first say what was used meanwhile. */
    String sweep() {
        return "DELETE FROM " + session + " s WHERE NOT " + open("($1::bigint + 300000)")
                + " OR node IS NOT NULL AND NOT EXISTS (SELECT 1 FROM " + node
                + " n WHERE n.id = s.node AND n.seen > now() - interval '10 minutes')";
    }

    String streamsOver() {
        return "UPDATE " + session + " SET stream_node = NULL, streams_until = '-infinity', last_used = now(),"
                + " revision = revision + 1 WHERE stream_node = $1";
    }

    String connectionsOver() {
        return "DELETE FROM " + session + " WHERE node = $1";
    }
}
