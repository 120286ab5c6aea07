/**
 * Calls for data that another process of this machine owns: they are sent there, and the data is taken over when that
 * process is gone.
 */
@NullMarked
package switchboard.relay;

import org.jspecify.annotations.NullMarked;
