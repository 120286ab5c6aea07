/** Measures the quality of search on collections with judged queries. */
@NullMarked
package switchboard.eval;

import org.jspecify.annotations.NullMarked;
