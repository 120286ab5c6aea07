/** The messages on the event bus: requests to backends, their replies and events, and the caller. */
@NullMarked
package switchboard.call;

import org.jspecify.annotations.NullMarked;
