/** Puts the gateway together, starts and stops it, and is what the command line talks to. Nobody depends on it. */
@NullMarked
package switchboard.app;

import org.jspecify.annotations.NullMarked;
