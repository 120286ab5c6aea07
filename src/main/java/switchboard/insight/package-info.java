/**
 * What teams have searched, what they were given, and what they read afterwards: a log for those teams that the configuration
 * names. {@link switchboard.insight.SearchLog} writes it, off the threads of calls; an {@link switchboard.insight.InsightStore}
 * keeps, exports and forgets it: a folder, or the database that several gateways share.
 */
@NullMarked
package switchboard.insight;

import org.jspecify.annotations.NullMarked;
