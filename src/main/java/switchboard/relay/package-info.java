/** Calls for data that another process of this machine owns: sent there, and taken over when that process is gone. */
@NullMarked
package switchboard.relay;

import org.jspecify.annotations.NullMarked;
