/** What several gateways share, in PostgreSQL: nodes, sessions, limits, the search log, and messages between nodes. */
@NullMarked
package switchboard.cluster;

import org.jspecify.annotations.NullMarked;
