/** How good search is, as numbers, on collections with judged queries. */
@NullMarked
package switchboard.eval;

import org.jspecify.annotations.NullMarked;
