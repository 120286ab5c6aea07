/** What crosses the event bus: requests to a backend, its replies and events, the caller they act for. */
@NullMarked
package switchboard.call;

import org.jspecify.annotations.NullMarked;
