/** What several gateways share, in PostgreSQL: nodes, sessions, limits, and messages between nodes. */
@NullMarked
package switchboard.cluster;

import org.jspecify.annotations.NullMarked;
