/** The way to a backend: admission, deadline, cancellation, the only sender of calls on the event bus. */
@NullMarked
package switchboard.dispatch;

import org.jspecify.annotations.NullMarked;
