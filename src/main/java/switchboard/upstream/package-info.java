/** Calls to engines over HTTP: bounded, deadline-driven, guarded by breaker, bulkhead and retry budget; engine-neutral. */
@NullMarked
package switchboard.upstream;

import org.jspecify.annotations.NullMarked;
