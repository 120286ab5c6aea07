/** SQL as text: PostgreSQL's lexical rules, and what of a caller's text may be sent. */
@NullMarked
package switchboard.backend.postgres.sql;

import org.jspecify.annotations.NullMarked;
