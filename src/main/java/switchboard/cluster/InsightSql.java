package switchboard.cluster;

/**
 * The statements about the search log of all gateways.
 *
 * @param schema quoted
 */
record InsightSql(String schema) {
    /** How many searches of one asker are looked at: some calls with many queries each. */
    private static final int MOST_OF_AN_ASKER = 60;

    /** How many lines go in one step. */
    private static final int STEP = 2000;

    /** How long it is known what was forgotten. */
    private static final String NOTES = "7 days";

    private static final String COLUMNS = "number, team, asker, since, line";
    private static final String CONCERNED = "($1::text IS NULL OR team = $1::text) AND ($2::text IS NULL OR asker ="
            + " $2::text) AND ($3::timestamptz IS NULL OR time < $3::timestamptz)";

    private String lines() {
        return schema + ".insight_line";
    }

    private String states() {
        return schema + ".insight_state";
    }

    private String forgotten() {
        return schema + ".insight_forgotten";
    }

    String makeKey() {
        return "UPDATE " + states() + " SET hash_key = $1 WHERE hash_key IS NULL";
    }

    String key() {
        return "SELECT hash_key FROM " + states();
    }

    String state() {
        return "SELECT clock_timestamp() AS now, forgotten FROM " + states();
    }

    /** What was forgotten. A line waits while the database is away, but not for as long; what is read belongs to a search for ten minutes. */
    String notes() {
        return "SELECT at, what FROM " + forgotten() + " WHERE at > now() - interval '" + NOTES + "' ORDER BY number";
    }

    String share() {
        return "SELECT forgotten FROM " + states() + " FOR SHARE";
    }

    String changeState() {
        return "UPDATE " + states() + " SET forgotten = forgotten + 1";
    }

    String note() {
        return "INSERT INTO " + forgotten() + " (at, what) VALUES (clock_timestamp(), $1)";
    }

    String append() {
        return "INSERT INTO " + lines()
                + " (id, team, asker, kind, since, time, line) SELECT id, team, asker, kind, since, time, line FROM"
                + " unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],"
                + " $7::text[]) WITH ORDINALITY AS n(id, team, asker, kind, since, time, line, place) ORDER BY place"
                + " ON CONFLICT (id) DO NOTHING";
    }

    String searches() {
        return "SELECT l.* FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) AS"
                + " n(team, asker, first, last) CROSS JOIN LATERAL (SELECT " + COLUMNS + " FROM " + lines()
                + " AS s WHERE s.team = n.team AND s.asker = n.asker AND s.kind = 'search' AND s.since > n.first AND"
                + " s.since <= n.last ORDER BY s.since DESC, s.number DESC LIMIT " + MOST_OF_AN_ASKER + ") AS l";
    }

    String teams() {
        return "SELECT DISTINCT team FROM " + lines() + " ORDER BY team";
    }

    String page() {
        return "SELECT " + COLUMNS + " FROM " + lines() + " WHERE team = $1 AND number > $2 AND ($3::timestamptz IS"
                + " NULL OR time >= $3::timestamptz) ORDER BY number LIMIT " + InsightTable.PAGE;
    }

    String having() {
        return "SELECT " + COLUMNS + " FROM " + lines()
                + " WHERE team = $1 AND ($2::text IS NULL OR asker = $2::text) AND"
                + " ($3::timestamptz IS NULL OR time < $3::timestamptz) AND strpos(line, $4) > 0 AND number > $5"
                + " ORDER BY number LIMIT " + InsightTable.PAGE;
    }

    String remove() {
        return removed(CONCERNED);
    }

    /** Removes some of the lines that meet {@code condition}, and says how many were found: another one may have removed these. */
    private String removed(String condition) {
        return "WITH found AS MATERIALIZED (SELECT id FROM " + lines() + " WHERE " + condition + " LIMIT " + STEP
                + "), gone AS (DELETE FROM " + lines() + " WHERE id IN (SELECT id FROM found) RETURNING id)"
                + " SELECT (SELECT count(*) FROM found) AS found, (SELECT count(*) FROM gone) AS gone";
    }

    String removeOne() {
        return "DELETE FROM " + lines() + " WHERE team = $1 AND number = $2";
    }

    /** Replaces a line, if it is as it was seen. */
    String replaceOne() {
        return "UPDATE " + lines() + " SET line = $4 WHERE team = $1 AND number = $2 AND line = $3";
    }

    String claim() {
        return "UPDATE " + schema
                + ".insight_sweep SET swept = now() WHERE swept < now() - interval '50 seconds' RETURNING swept";
    }

    String removeNotes() {
        return "DELETE FROM " + forgotten() + " WHERE at < now() - interval '" + NOTES + "'";
    }

    String removeOld() {
        return removed("team = $1 AND since < now() - make_interval(secs => $2::double precision)");
    }

    /** The newest line that has no room beside those that are newer. */
    String tooMuch() {
        return "SELECT max(number) AS number FROM (SELECT number, sum(bytes) OVER (ORDER BY number DESC) AS upto FROM "
                + lines() + " WHERE team = $1) AS s WHERE upto > $2";
    }

    String removeUntil() {
        return removed("team = $1 AND number <= $2");
    }
}
