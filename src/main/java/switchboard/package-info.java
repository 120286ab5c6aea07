/** The command line of the gateway. */
@NullMarked
package switchboard;

import org.jspecify.annotations.NullMarked;
