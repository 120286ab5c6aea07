/** Puts the gateway together, starts and stops it, and is what the command line calls. No other package uses it. */
@NullMarked
package switchboard.app;

import org.jspecify.annotations.NullMarked;
