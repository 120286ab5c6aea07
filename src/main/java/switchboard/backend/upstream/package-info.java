/** Calls to engines over HTTP: bounded, deadline-driven, guarded by breaker, bulkhead and retry budget; engine-neutral. */
@NullMarked
package switchboard.backend.upstream;

import org.jspecify.annotations.NullMarked;
