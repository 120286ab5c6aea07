package switchboard.cluster;

/** The statements on documents. */
final class DocumentSql {
    private static final String HEAD = "id, incarnation, owner, name, live, position, operation, changed";
    private static final String CONTENT = "facts, text, chunks, vectors";

    private final String library;
    private final String document;
    private final String change;
    private final String unusedChunks;

    DocumentSql(String schema) {
        this.library = schema + ".library";
        this.document = schema + ".document";
        this.change = schema + ".change";
        this.unusedChunks = schema + ".unused_chunks";
    }

    /**
     * The libraries that changed since a look that said {@code $2}. A transaction that this look could not see has at least the
     * number that that one said was the oldest under way. It always has a row.
     */
    String look() {
        return "SELECT now.oldest, now.server, " + HEAD
                + " FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,"
                + " pg_postmaster_start_time()::text AS server) now"
                + " LEFT JOIN " + library + " ON backend = $1 AND touched >= $2::text::xid8";
    }

    String library() {
        return "SELECT " + HEAD + " FROM " + library + " WHERE id = $1 AND live";
    }

    String find() {
        return "SELECT " + HEAD + ", clock_timestamp() AS moment FROM " + library
                + " WHERE backend = $1 AND owner = $2 AND name = $3 AND live";
    }

    String make() {
        return "INSERT INTO " + library + " (backend, owner, name) VALUES ($1, $2, $3)"
                + " ON CONFLICT (backend, owner, name) WHERE live DO NOTHING RETURNING " + HEAD
                + ", clock_timestamp() AS moment";
    }

    /** Takes the position. Always the last statement of a transaction, because all that follow wait for its end. */
    String take() {
        return "WITH taken AS (UPDATE " + library + " SET position = position + 1, operation = $2, changed = now(),"
                + " touched = pg_current_xact_id() WHERE id = $1 AND live RETURNING position)"
                + " INSERT INTO " + change + " (library, position, key, source, kind, operation)"
                + " SELECT $1, position, $3, $4, $5, $2 FROM taken RETURNING position, created";
    }

    String lock() {
        return "SELECT position FROM " + library + " WHERE id = $1 FOR SHARE";
    }

    String made() {
        return "SELECT position, operation, created FROM " + change
                + " WHERE library = $1 AND position > $2 AND operation = $3";
    }

    String drop() {
        return "UPDATE " + library + " SET live = false, changed = now(), touched = pg_current_xact_id()"
                + " WHERE id = $1 AND live RETURNING position";
    }

    String restricted() {
        return "SELECT id, facts FROM " + document
                + " WHERE library = $1 AND restricted AND id > $2 ORDER BY id LIMIT 1000";
    }

    String bySource() {
        return "SELECT key, facts FROM " + document + " WHERE library = $1 AND key = $2 FOR UPDATE";
    }

    String byId() {
        return "SELECT key, facts FROM " + document + " WHERE library = $1 AND id = $2 FOR UPDATE";
    }

    String insert() {
        return "INSERT INTO " + document + " (library, key, id, restricted, size, " + CONTENT + ")"
                + " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (library, key) DO NOTHING RETURNING id";
    }

    String replace() {
        return "UPDATE " + document + " SET id = $3, restricted = $4, size = $5, facts = $6, text = $7, chunks = $8,"
                + " vectors = $9 WHERE library = $1 AND key = $2";
    }

    String describe() {
        return "UPDATE " + document
                + " SET restricted = $3, size = size - length(facts) + length($4::bytea), facts = $4"
                + " WHERE library = $1 AND key = $2";
    }

    String giveVectors() {
        return "UPDATE " + document + " SET facts = $3, vectors = $4, size = size - length(facts) - length(vectors)"
                + " + length($3::bytea) + length($4::bytea) WHERE library = $1 AND key = $2";
    }

    String delete() {
        return "DELETE FROM " + document + " WHERE library = $1 AND key = $2";
    }

    String changes() {
        return "SELECT c.position, c.operation, c.created, c.key, c.source, coalesce(d.size, 0) AS size FROM " + change
                + " c LEFT JOIN " + document + " d ON d.library = c.library AND d.key = c.key"
                + " WHERE c.library = $1 AND c.position >= $2 ORDER BY c.position LIMIT $3";
    }

    String keys() {
        return "SELECT key, size FROM " + document + " WHERE library = $1 AND key > $2 ORDER BY key LIMIT $3";
    }

    String count() {
        return "SELECT count(*) AS number FROM " + document + " WHERE library = $1";
    }

    String documents() {
        return "SELECT key, id, restricted, " + CONTENT + " FROM " + document
                + " WHERE library = $1 AND key = ANY($2::bytea[])";
    }

    /** The same without what an engine has. */
    String facts() {
        return "SELECT key, id, restricted, facts, ''::bytea AS text, ''::bytea AS chunks, ''::bytea AS vectors FROM "
                + document + " WHERE library = $1 AND key = ANY($2::bytea[])";
    }

    String useChunks() {
        return "DELETE FROM " + unusedChunks + " WHERE collection = $1 AND document = $2 AND NOT claimed";
    }

    String leaveChunks() {
        return "INSERT INTO " + unusedChunks + " (collection, document, backend, ready)"
                + " VALUES ($1, $2, $3, now() + interval '" + UnusedChunks.KEPT.toSeconds() + " seconds')"
                + " ON CONFLICT (collection, document) DO UPDATE SET ready = EXCLUDED.ready";
    }

    /**
     * Gives libraries of a restored dump, which name transactions of another server, one of this server: a look finds what names a
     * later one each time.
     */
    String adopt() {
        return "UPDATE " + library + " SET touched = pg_current_xact_id()"
                + " WHERE touched >= pg_snapshot_xmax(pg_current_snapshot())";
    }

    /** Removes some of the rows of libraries that were dropped. */
    String sweepDocuments() {
        return "DELETE FROM " + document + " WHERE (library, key) IN (SELECT d.library, d.key FROM " + library
                + " l JOIN " + document
                + " d ON d.library = l.id WHERE NOT l.live LIMIT 50 FOR UPDATE OF d SKIP LOCKED)";
    }

    /** The same for their changes. */
    String sweepChanges() {
        return "DELETE FROM " + change + " WHERE (library, position) IN (SELECT c.library, c.position FROM " + library
                + " l JOIN " + change
                + " c ON c.library = l.id WHERE NOT l.live LIMIT 1000 FOR UPDATE OF c SKIP LOCKED)";
    }

    /** Removes some of the changes that each gateway has long seen. The newest of a library stays. */
    String sweepOldChanges() {
        return "DELETE FROM " + change + " WHERE (library, position) IN (SELECT c.library, c.position FROM " + change
                + " c JOIN " + library + " l ON l.id = c.library WHERE c.created < now() - interval '7 days'"
                + " AND c.position < l.position ORDER BY c.created LIMIT 1000 FOR UPDATE OF c SKIP LOCKED)";
    }

    String sweepLibraries() {
        return "DELETE FROM " + library + " l WHERE NOT live AND changed < now() - interval '1 hour'"
                + " AND NOT EXISTS (SELECT 1 FROM " + document + " d WHERE d.library = l.id)"
                + " AND NOT EXISTS (SELECT 1 FROM " + change + " c WHERE c.library = l.id)";
    }
}
