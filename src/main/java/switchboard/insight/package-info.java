/**
 * What teams have searched, what they were given, and what they read afterwards: a log for those teams that the configuration
 * names. {@link switchboard.insight.SearchLog} writes it, off the threads of calls; {@link switchboard.insight.InsightFolder}
 * keeps, exports and forgets it.
 */
@NullMarked
package switchboard.insight;

import org.jspecify.annotations.NullMarked;
