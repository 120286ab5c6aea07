/** Addresses of PostgreSQL servers, for those who connect to one. */
@NullMarked
package switchboard.database;

import org.jspecify.annotations.NullMarked;
