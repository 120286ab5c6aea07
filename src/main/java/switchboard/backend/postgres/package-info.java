/** PostgreSQL with pgvector: read-only sessions, SQL of callers, the schema, vector search, declared queries. */
@NullMarked
package switchboard.backend.postgres;

import org.jspecify.annotations.NullMarked;
