/**
 * HTTP calls to engines: limited, with deadlines, circuit breaker, bulkhead and retry budget; independent of the
 * engine.
 */
@NullMarked
package switchboard.upstream;

import org.jspecify.annotations.NullMarked;
